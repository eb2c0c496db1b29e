// SPDX-License-Identifier: MIT
//
// The machine: our C, compiled to WebAssembly (web/shim.c), with types. There is one execution at a
// time. Nothing here knows a protocol; what there is to know comes from the registry.
import base64 from "virtual:ringleader-module";

export interface Named {
    name: string;
    meaning: string;
}

export interface Protocol {
    name: string;
    title: string;
    source: string;
    claim: string;
    /** The file of one that is not ours. */
    text?: string;
    undirected: boolean;
    target: number;
    possible: number;
    /** One with choices has one of their names for a value. */
    parameters: (Named & { choices: string[] })[];
    variables: { name: string; symbols: string[] }[];
    starts: Named[];
    sets: Named[];
    gauges: string[];
    /** What keeps a ring out of set number `set` and of all later ones. */
    obstacles: (Named & { set: number })[];
}

/** A protocol by the names of its authors, from its source: "Fischer and Jiang 2006 (fj06)". */
export function nameOf({ name, source, text }: Protocol): string {
    if (text !== undefined) return name;
    const authors = (/^(.*?):/.exec(source)?.[1] ?? "").replace(/^.* of /, "").split(/, | and /)
        .map((author) => author.replace(/^(?:[A-Z][.-]*)+ /, ""));
    const year = /\b(?:19|20)\d\d\b/.exec(source)?.[0] ?? "";
    const who = authors.length > 2 ? `${authors[0]} et al.` : authors.join(" and ");
    return `${who} ${year} (${name})`;
}

/** What an execution is a function of, apart from what is done to it. */
export interface Request {
    protocol: string;
    n: number;
    parameters: Record<string, string>;
    start: string;
    /** A configuration as text, instead of the named start. */
    configuration?: string;
    seed: bigint;
    trial: bigint;
    engine: "event" | "step";
}

/** The part of a link that the machine reads (include/ringleader/request.h). */
export function requestItems(request: Request): [string, string][] {
    const from: [string, string][] = request.configuration === undefined ? [["start", request.start]] : [];
    return [["p", request.protocol], ["n", String(request.n)], ...Object.entries(request.parameters),
        ...from, ["seed", String(request.seed)], ["trial", String(request.trial)]];
}

export const MARK = { leader: 1, shield: 2, live: 4, dummy: 8, signal: 16, leftward: 32, barrier: 64 } as const;

type Exports = Record<string, (...values: (number | bigint | boolean)[]) => number> & {
    memory: WebAssembly.Memory;
};

/** Compiled once, for as many machines as are wanted. */
const compiled = WebAssembly.compile(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Machine {
    readonly protocols: Protocol[];
    protocol: Protocol;
    n = 0;

    private constructor(private readonly c: Exports) {
        this.protocols = JSON.parse(this.text(c.page_protocols()));
        this.protocol = this.protocols[0];
    }

    static async load(): Promise<Machine> {
        const { exports } = await WebAssembly.instantiate(await compiled);
        return new Machine(exports as unknown as Exports);
    }

    private text(length: number): string {
        return decoder.decode(new Uint8Array(this.c.memory.buffer, this.c.page_buffer(), length));
    }

    private put(text: string): number {
        const bytes = encoder.encode(text);
        const room = new Uint8Array(this.c.memory.buffer, this.c.page_buffer(), 1 << 20);
        if (bytes.length >= room.length) throw new Error("the configuration is too long");
        room.set(bytes);
        return bytes.length;
    }

    /** Opens an execution. Throws, with what is wrong, if the request is. */
    open(request: Request): void {
        const text = requestItems(request).map((item) => item.join("=")).join("&");
        const { configuration } = request;
        const words = configuration === undefined ? "" : configuration || " ";
        const length = this.put(`${text}\0${words}`) - encoder.encode(text).length - 1;
        const status = this.c.page_open(request.engine === "step" ? 1 : 0, length);
        if (status !== 0) throw new Error(this.zeroTerminated().replace(/^(?=line )/, "the configuration, "));
        this.protocol = this.protocols.find((p) => p.name === request.protocol)!;
        this.n = request.n;
    }

    private zeroTerminated(): string {
        const bytes = new Uint8Array(this.c.memory.buffer, this.c.page_buffer(), 1000);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    get step() { return this.c.page_steps(); }
    get events() { return this.c.page_events(); }
    get silent() { return this.c.page_silent() !== 0; }
    get arcs() { return this.protocol.undirected ? 2 * this.n : this.n; }
    get leader() { return this.c.page_leader(); }
    /** The value of a parameter as a link and the command line write it. */
    parameter(index: number): string {
        const value = this.c.page_parameter(index);
        return this.protocol.parameters[index].choices[value] ?? String(value);
    }

    /** The step of the hit since the last disturbance, or -1. */
    hit(set: number) { return this.c.page_hit(set); }

    /** Goes on to a step or for a number of events, at most a spell of work; counts the events. */
    advance(until: number, events: number) { return this.c.page_advance(until, events); }
    /** The same, but stops exactly at the hit of a set; whether it is in the set. */
    advanceToSet(until: number, set: number) { return this.c.page_advance_to_set(until, set) !== 0; }
    /** Keeps the execution as it stands in one of 64 places, and takes it back from there. */
    save(slot: number) { if (this.c.page_save(slot) === 0) throw new Error("out of memory"); }
    restore(slot: number) { this.c.page_restore(slot); }
    /** One step; the arc that interacted. */
    stepOnce() { return this.c.page_step(); }

    fault(agents: number) { this.c.page_fault(agents); }
    set(agent: number, variable: number, value: number) { this.c.page_set(agent, variable, value); }
    crown(from: number, to: number, leads: boolean) { this.c.page_crown(from, to, leads); }
    interact(arc: number) { return this.c.page_interact(arc) !== 0; }

    /** The marks of all agents, as they are now: a view that the next call may spoil. */
    marks(): Uint8Array { return new Uint8Array(this.c.memory.buffer, this.c.page_marks(), this.n); }
    /** Their dist, as of the last call of `marks`. */
    shade(): Uint32Array {
        return new Uint32Array(this.c.memory.buffer, this.c.page_shade(), this.n);
    }
    get shades() { return this.c.page_shades(); }

    /** Of each agent, a bit for each of the protocol's obstacles. */
    obstacles(): Uint8Array { return new Uint8Array(this.c.memory.buffer, this.c.page_obstacles(), this.n); }

    /** The obstacles to the next set: those to later ones do not matter yet. */
    get missing(): number[] {
        const next = this.protocol.sets.findIndex((_, s) => this.hit(s) < 0);
        return [...this.protocol.obstacles.keys()].filter((k) => this.protocol.obstacles[k].set === next);
    }

    /** Leaders, then the gauges of the protocol. */
    gauges(): number[] {
        const count = 1 + this.protocol.gauges.length;
        return Array.from(new Float64Array(this.c.memory.buffer, this.c.page_gauges(), count));
    }

    variable(agent: number, variable: number) { return this.c.page_variable(agent, variable); }
    variableSize(variable: number) { return this.c.page_variable_size(variable); }
    state(agent: number) { return this.text(this.c.page_state(agent)); }
    facts(agent: number) { return lines(this.text(this.c.page_describe(agent))); }
    configuration() { return this.text(this.c.page_configuration()); }

    /** How many events the last advance, step or interaction had; those below speak of them. */
    get lastCount() { return this.c.page_event_count(); }
    eventArc(index: number) { return this.c.page_event_arc(index); }
    eventStep(index: number) { return this.c.page_event_step(index); }
    explain(index: number) { return lines(this.text(this.c.page_explain(index))); }
    eventBefore(index: number, ofResponder: boolean, variable: number) {
        return this.c.page_event_before(index, ofResponder, variable);
    }
    nextChangeOfLeaders(index: number) { return this.c.page_next_change_of_leaders(index); }

    /** The two agents of an arc: initiator, responder. */
    ends(arc: number): [number, number] {
        const left = arc % this.n;
        const right = (left + 1) % this.n;
        return arc < this.n ? [left, right] : [right, left];
    }
}

function lines(text: string): string[] {
    return text.split("\n").filter((line) => line !== "");
}
