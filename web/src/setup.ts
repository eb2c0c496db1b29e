// SPDX-License-Identifier: MIT
//
// The form that says which execution: protocol, n, its parameters, start, seed, engine.
import type { Machine, Protocol, Request } from "./machine";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

export class Setup {
    private parameters = new Map<string, HTMLInputElement | HTMLSelectElement>();
    private built = "";

    constructor(private readonly machine: Machine, private readonly changed: (r: Request) => void) {
        element<HTMLSelectElement>("protocol").append(
            ...machine.protocols.map((p) => new Option(p.name, p.name)));
        element("setup").addEventListener("change", (event) => this.onChange(event));
        element("setup").addEventListener("submit", (event) => event.preventDefault());
        element("new-seed").addEventListener("click", () => {
            element<HTMLInputElement>("seed").value = String(Math.floor(Math.random() * 1e6));
            this.changed(this.request());
        });
    }

    /** Fills the form from a request. */
    show(request: Request): void {
        const protocol = this.machine.protocols.find((p) => p.name === request.protocol)!;
        element<HTMLSelectElement>("protocol").value = protocol.name;
        element<HTMLInputElement>("n").value = String(request.n);
        this.build(protocol);
        for (const [name, input] of this.parameters) {
            input.value = request.parameters[name] ?? "";
            const index = protocol.parameters.findIndex((p) => p.name === name);
            const value = this.machine.parameter(index);
            if (input instanceof HTMLSelectElement) input.value = value;
            else input.placeholder = value;
        }
        const isText = request.configuration !== undefined;
        element<HTMLSelectElement>("start").value = isText ? "" : request.start;
        element<HTMLTextAreaElement>("configuration").value = request.configuration ?? "";
        element("configuration-row").hidden = !isText;
        element<HTMLInputElement>("seed").value = String(request.seed);
        element<HTMLSelectElement>("engine").value = request.engine;
        this.complain("");
    }

    complain(problem: string): void {
        element("problem").textContent = problem;
    }

    private build(protocol: Protocol): void {
        if (this.built === protocol.name) return; // the person may be typing in it
        this.built = protocol.name;
        this.parameters.clear();
        element("parameters").replaceChildren(...protocol.parameters.map((parameter) => {
            const label = document.createElement("label");
            const name = document.createElement("span");
            name.innerHTML = "Bound <i></i>";
            if (parameter.name !== "N") name.firstChild!.textContent = "";
            name.querySelector("i")!.textContent = parameter.name;
            label.title = parameter.meaning;
            const input = document.createElement(parameter.choices.length > 0 ? "select" : "input");
            if (input instanceof HTMLSelectElement)
                input.append(...parameter.choices.map((choice) => new Option(choice, choice)));
            else Object.assign(input, { type: "number", min: "0", step: "1" });
            label.append(name, input);
            this.parameters.set(parameter.name, input);
            return label;
        }));
        const starts = protocol.starts.map((start) => {
            const option = new Option(start.name, start.name);
            option.title = start.meaning;
            return option;
        });
        element("start").replaceChildren(...starts, new Option("a configuration …", ""));
    }

    private onChange(event: Event): void {
        const target = event.target as HTMLElement;
        if (target.id === "protocol") {
            const name = element<HTMLSelectElement>("protocol").value;
            this.build(this.machine.protocols.find((p) => p.name === name)!);
        }
        if (target.id === "start") {
            const isText = element<HTMLSelectElement>("start").value === "";
            element("configuration-row").hidden = !isText;
            if (isText) element<HTMLTextAreaElement>("configuration").value = this.machine.configuration();
        }
        this.changed(this.request());
    }

    private request(): Request {
        const parameters: Record<string, string> = {};
        for (const [name, input] of this.parameters)
            if (input.value !== "") parameters[name] = input.value;
        const start = element<HTMLSelectElement>("start").value;
        const seed = element<HTMLInputElement>("seed").value.trim();
        return {
            protocol: element<HTMLSelectElement>("protocol").value,
            n: Number(element<HTMLInputElement>("n").value),
            parameters,
            start: start || "random",
            configuration: start === "" ? element<HTMLTextAreaElement>("configuration").value : undefined,
            seed: /^\d{1,20}$/.test(seed) ? BigInt(seed) : 1n,
            trial: 0n,
            engine: element<HTMLSelectElement>("engine").value === "step" ? "step" : "event",
        };
    }
}
