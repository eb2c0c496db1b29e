// SPDX-License-Identifier: MIT
//
// The form that says which execution: protocol, n, its parameters, start, seed, engine.
import { element, make, on } from "./dom";
import { nameOf, type Machine, type Protocol, type Request } from "./machine";

/** Those that elect a leader, by people's names. */
export function fillProtocols(select: HTMLSelectElement, protocols: Protocol[]): void {
    select.append(...protocols.map((p) => {
        const option = new Option(nameOf(p), p.name);
        option.hidden = p.claim === "none"; // a link may still ask for it
        return option;
    }));
}

/** A whole number between two others, as written; null if it is none. */
export function wholeNumber(text: string, least: number, most: number): number | null {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
    return value >= least && value <= most ? value : null;
}

/** A seed, as the command line takes them: below 2^64. */
export function readSeed(text: string): bigint {
    const seed = /^\d{1,20}$/.test(text.trim()) ? BigInt(text) : -1n;
    if (seed < 0n || seed >= 1n << 64n) throw new Error(`the seed must be a whole number below 2^64, not \u201c${text}\u201d`);
    return seed;
}

export function readAgents(text: string): number {
    const n = wholeNumber(text, 2, 2 ** 26);
    if (n === null) throw new Error(`n must be a whole number, 2 or more, not \u201c${text}\u201d`);
    return n;
}

export class Setup {
    private parameters = new Map<string, HTMLInputElement | HTMLSelectElement>();
    private built = "";

    constructor(private readonly machine: Machine, private readonly changed: (r: Request) => void) {
        fillProtocols(element<HTMLSelectElement>("protocol"), machine.protocols);
        element("setup").addEventListener("change", (event) => this.onChange(event));
        element("setup").addEventListener("submit", (event) => event.preventDefault());
        on("new-seed", () => {
            element<HTMLInputElement>("seed").value = String(Math.floor(Math.random() * 1e6));
            this.submit();
        });
    }

    private submit(): void {
        try {
            this.changed(this.request());
        } catch (problem) {
            this.complain((problem as Error).message);
        }
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
            const name = make("span", "", parameter.name === "N" ? "Bound " : "", make("i", "", parameter.name));
            const input = document.createElement(parameter.choices.length > 0 ? "select" : "input");
            if (input instanceof HTMLSelectElement)
                input.append(...parameter.choices.map((name) => new Option(name, name)));
            else Object.assign(input, { type: "number", min: "0", step: "1" });
            const label = make("label", "", name, input);
            label.title = parameter.meaning;
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
        this.submit();
    }

    private request(): Request {
        const parameters: Record<string, string> = {};
        for (const [name, input] of this.parameters)
            if (input.value !== "") parameters[name] = input.value;
        const start = element<HTMLSelectElement>("start").value;
        return {
            protocol: element<HTMLSelectElement>("protocol").value,
            n: readAgents(element<HTMLInputElement>("n").value),
            parameters,
            start: start || "random",
            configuration: start === "" ? element<HTMLTextAreaElement>("configuration").value : undefined,
            seed: readSeed(element<HTMLInputElement>("seed").value),
            trial: 0n,
            engine: element<HTMLSelectElement>("engine").value === "step" ? "step" : "event",
        };
    }
}
