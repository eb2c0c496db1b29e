// SPDX-License-Identifier: MIT
//
// One agent: its whole state, each variable to edit, and what its protocol knows about it.
import { element, make, on, withIndices } from "./dom";
import type { Machine } from "./machine";
import { wholeNumber } from "./setup";

export interface Hands {
    set(agent: number, variable: number, value: number): void;
    meet(arc: number): void;
    choose(agent: number): void;
}

/** A variable with a few values is chosen from a list, one with many is a number. */
const MOST_OPTIONS = 32;

export class Inspector {
    private agent = -1;
    private inputs: (HTMLInputElement | HTMLSelectElement)[] = [];
    private built = "";
    private shown = "";

    constructor(private readonly machine: Machine, private readonly hands: Hands) {
        element<HTMLInputElement>("agent").addEventListener("change", (event) => {
            const wanted = Number((event.target as HTMLInputElement).value);
            const n = machine.n;
            hands.choose(((Math.trunc(wanted) % n) + n) % n);
        });
        on("meet-left", () => hands.meet((this.agent + machine.n - 1) % machine.n));
        on("meet-right", () => hands.meet(this.agent));
    }

    show(agent: number): void {
        this.agent = agent;
        element("inspector-body").hidden = agent < 0;
        element("inspector-hint").hidden = agent >= 0;
        element("inspector-problem").textContent = "";
        if (agent >= 0) this.update();
    }

    /** Brings everything up to date, except what is being edited. */
    update(): void {
        if (this.agent < 0) return;
        const { machine, agent } = this;
        this.build();
        const now = [machine.n, agent, machine.state(agent), ...machine.facts(agent)].join();
        if (now === this.shown) return;
        this.shown = now;
        const chosen = element<HTMLInputElement>("agent");
        if (document.activeElement !== chosen) chosen.value = String(agent);
        chosen.max = String(machine.n - 1);
        element("agent-state").textContent = machine.state(agent);
        this.inputs.forEach((input, v) => {
            if (document.activeElement !== input || input instanceof HTMLSelectElement)
                input.value = String(machine.variable(agent, v));
        });
        element("facts").replaceChildren(...machine.facts(agent).map((fact) => make("li", "", fact)));
        const n = machine.n;
        element("meet-left").replaceChildren("Meet ", ...withIndices(`u_${(agent + n - 1) % n}`));
        element("meet-right").replaceChildren("Meet ", ...withIndices(`u_${(agent + 1) % n}`));
    }

    private build(): void {
        const { machine } = this;
        const sizes = machine.protocol.variables.map((_, v) => machine.variableSize(v));
        const key = machine.protocol.name + sizes.join();
        if (key === this.built) return;
        this.built = key;
        this.inputs = machine.protocol.variables.map((variable, v) =>
            this.input(v, sizes[v], variable.symbols));
        element("variables").replaceChildren(...machine.protocol.variables.map((variable, v) => {
            this.inputs[v].setAttribute("aria-label", variable.name);
            return make("label", "", make("span", "", variable.name), this.inputs[v]);
        }));
    }

    private input(v: number, size: number, symbols: string[]) {
        const few = size <= MOST_OPTIONS;
        const input = document.createElement(few ? "select" : "input");
        if (input instanceof HTMLSelectElement)
            for (let value = 0; value < size; value++) {
                const symbol = symbols[value] ? `  (${symbols[value]})` : "";
                input.append(new Option(value + symbol, String(value)));
            }
        else Object.assign(input, { type: "number", min: "0", max: String(size - 1) });
        input.addEventListener("change", () => {
            const value = wholeNumber(input.value, 0, size - 1);
            const { name } = this.machine.protocol.variables[v];
            element("inspector-problem").textContent = value !== null ? ""
                : `${name} must be a whole number from 0 to ${size - 1}, not \u201c${input.value}\u201d`;
            if (value !== null) this.hands.set(this.agent, v, value);
            else {
                this.shown = "";
                this.update();
            }
        });
        return input;
    }
}
