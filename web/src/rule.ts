// SPDX-License-Identifier: MIT
//
// The rule beside the ring: the listing of the protocol's page in the docs, with the lines that acted
// in the present interaction lit, and what it changed.
import rules from "virtual:ringleader-rules";
import { grouped } from "./canvas";
import { make } from "./dom";
import type { Execution } from "./execution";
import type { Machine, Protocol } from "./machine";

/** The paper that all this is about. */
const PAPER = { title: "Time-Optimal Self-Stabilizing Leader Election on Rings in Population Protocols", address: "https://arxiv.org/abs/2009.10926" };

export function paperLink(): HTMLAnchorElement {
    const link = make("a", "", PAPER.title);
    link.href = PAPER.address;
    return link;
}

/** The numbers of "... : line 2" and "... : lines 6-8". */
export function linesOf(explanation: string[]): Set<number> {
    const found = new Set<number>();
    for (const sentence of explanation) {
        const match = /: lines? (\d+)(?:-(\d+))?$/.exec(sentence);
        if (!match) continue;
        for (let line = Number(match[1]); line <= Number(match[2] ?? match[1]); line++) found.add(line);
    }
    return found;
}

/** Whose listing a protocol has: a variant that of the protocol it is made of; one from a file its
    `meet`, or, if that is not to be found, the file. */
function listingOf({ name, text }: Protocol): string | undefined {
    if (text !== undefined) return /^static inline void meet\b[^]*?^}/m.exec(text)?.[0] ?? text;
    const [directed, layers] = name.split("-undirected");
    const own = rules[directed] ?? rules[directed.replace(/-dummy$/, "")];
    return layers === undefined ? own : `${rules.undirected}\n\nthe directed protocol, l behind r:\n${own}`;
}

/** A listing is set in columns, and here is only room for one: wide gaps go, but not those that a line
 *  begins with. */
const narrowed = (line: string) => line.replace(/^(\s*\d*\s*)(.*)$/, (_, begin: string, rest: string) =>
    begin.slice(0, 14) + rest.replace(/(\S) {3,}/g, "$1  "));

export class Rule {
    private built = "";
    private shown = "";
    private lines: { number: number; element: HTMLElement }[] = [];

    private readonly machine: Machine;

    constructor(private readonly place: HTMLElement, private readonly execution: Execution) {
        this.machine = execution.machine;
    }

    /** Shows the present step. */
    show(): void {
        this.build();
        const { machine } = this, last = machine.lastCount - 1;
        const changed = last >= 0 && machine.eventStep(last) === machine.step;
        const explanation = changed ? machine.explain(last) : [];
        const key = [machine.step, this.execution.isDisturbed, ...explanation].join();
        if (key === this.shown) return;
        this.shown = key;
        const lit = linesOf(explanation), step = grouped(machine.step);
        for (const { number, element } of this.lines) element.classList.toggle("lit", lit.has(number));
        this.place.querySelector(".meeting")!.replaceChildren(...changed ? this.meeting(last)
            : [this.execution.isDisturbed ? `You changed the ring at step ${step}; no rule has acted since.`
                : machine.step === 0 ? "No interaction yet: make one step." : `Step ${step} changed nothing.`]);
    }

    private build(): void {
        const { protocol } = this.machine;
        if (protocol.name === this.built) return;
        this.built = protocol.name;
        this.shown = "";
        this.place.replaceChildren(make("div", "meeting"), ...this.listing(), this.source());
    }

    private listing(): HTMLElement[] {
        const text = listingOf(this.machine.protocol);
        this.lines = [];
        if (text === undefined) return [];
        return [make("div", "listing", ...text.replaceAll("<-", "\u2190").split("\n").map((line) => {
            const element = make("code");
            element.textContent = narrowed(line) || " ";
            const number = /^\s*(\d+)\s/.exec(line);
            if (number) this.lines.push({ number: Number(number[1]), element });
            return element;
        }))];
    }

    private source(): HTMLElement {
        const [before, after] = this.machine.protocol.source.split(PAPER.title);
        return after === undefined ? make("p", "hint", before) : make("p", "hint", before, paperLink(), after);
    }

    /** On an undirected ring l is who has the other ahead, and is behind it in the other's eyes. */
    private roles(arc: number): [number, number] | null {
        const [u, v] = this.machine.ends(arc), { variables, undirected } = this.machine.protocol;
        if (!undirected) return [u, v];
        const value = (agent: number, name: string) => this.machine.variable(agent, variables.findIndex((x) => x.name === name));
        const sees = (a: number, way: string, b: number) => value(a, way) === value(b, "colour");
        const isBehind = (a: number, b: number) => sees(a, "ahead", b) && !sees(a, "behind", b) && sees(b, "behind", a) && !sees(b, "ahead", a);
        return isBehind(u, v) ? [u, v] : isBehind(v, u) ? [v, u] : null;
    }

    /** "l = u_3 met r = u_4", and a row for each variable that changed. */
    private meeting(index: number): Node[] {
        const { machine } = this, arc = machine.eventArc(index), ends = machine.ends(arc), roles = this.roles(arc);
        const [first, second] = roles ?? ends;
        const head = roles ? `l = u_${first} met r = u_${second}` : `u_${first} met u_${second}, which have no common direction yet`;
        const rows = [first, second].flatMap((agent, i) => machine.protocol.variables.flatMap(({ name }, v) => {
            const before = machine.eventBefore(index, agent === ends[1], v), after = machine.variable(agent, v);
            return before === after ? [] : [make("li", "", `${roles ? "lr"[i] : `u_${agent}`}.${name}: ${before} \u2192 ${after}`)];
        }));
        return [make("p", "", `Step ${grouped(machine.step)}: ${head}`), make("ul", "", ...rows)];
    }
}
