// SPDX-License-Identifier: MIT
//
// The rule beside the ring: the listing of the protocol's page in the docs, with the lines that acted
// in the present interaction lit, and what it changed.
import rules from "virtual:ringleader-rules";
import { grouped } from "./canvas";
import { withIndices } from "./commentary";
import type { Machine, Protocol } from "./machine";

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
    return rules[name] ?? rules[name.replace(/-(undirected|dummy)$/, "")];
}

/** A listing is set in columns, and here is only room for one: wide gaps go. */
const narrowed = (line: string) => line.replace(/(\S) {3,}/g, "$1  ").replace(/^ {9,}/, " ".repeat(8));

export class Rule {
    private built = "";
    private shown = "";
    private lines: { number: number; element: HTMLElement }[] = [];

    constructor(private readonly place: HTMLElement, private readonly machine: Machine) {}

    /** Shows the present step, if it was made by itself. */
    show(): void {
        this.build();
        const { machine } = this;
        const single = machine.lastCount === 1 && machine.eventStep(0) === machine.step;
        const explanation = single ? machine.explain(0) : [];
        const key = [machine.step, single, ...explanation].join();
        if (key === this.shown) return;
        this.shown = key;
        const lit = linesOf(explanation);
        for (const { number, element } of this.lines) element.classList.toggle("lit", lit.has(number));
        this.place.querySelector(".meeting")!.replaceChildren(...single ? this.meeting()
            : [machine.step === 0 ? "No interaction yet: make one step." : `Nothing changed at step ${grouped(machine.step)}.`]);
    }

    private build(): void {
        const { protocol } = this.machine;
        if (protocol.name === this.built) return;
        this.built = protocol.name;
        this.shown = "";
        const meeting = document.createElement("div");
        meeting.className = "meeting";
        this.place.replaceChildren(meeting, ...this.listing(), this.source());
    }

    private listing(): HTMLElement[] {
        const text = listingOf(this.machine.protocol);
        this.lines = [];
        if (text === undefined) return [];
        const list = document.createElement("div");
        list.className = "listing";
        for (const line of text.replaceAll("<-", "\u2190").split("\n")) {
            const element = document.createElement("code");
            element.textContent = narrowed(line) || " ";
            const number = /^\s*(\d+)\s/.exec(line);
            if (number) this.lines.push({ number: Number(number[1]), element });
            list.append(element);
        }
        return [list];
    }

    private source(): HTMLElement {
        const source = document.createElement("p");
        source.className = "hint";
        const [title, address] = ["Time-Optimal Self-Stabilizing Leader Election on Rings in Population Protocols", "https://arxiv.org/abs/2009.10926"];
        const from = this.machine.protocol.source;
        if (!from.includes(title)) {
            source.append(from);
            return source;
        }
        const link = document.createElement("a");
        link.href = address;
        link.textContent = `${title}, arXiv:2009.10926`;
        source.append("D. Yokota, Y. Sudo, T. Masuzawa: ", link);
        return source;
    }

    /** "u_3 met u_4", and a row for each variable that changed. */
    private meeting(): Node[] {
        const { machine } = this;
        const [l, r] = machine.ends(machine.eventArc(0));
        const head = document.createElement("p");
        head.append(...withIndices(`Step ${grouped(machine.step)}: l = u_${l} met r = u_${r}`));
        const list = document.createElement("ul");
        for (const [name, agent, ofResponder] of [["l", l, false], ["r", r, true]] as const)
            machine.protocol.variables.forEach((variable, v) => {
                const before = machine.eventBefore(0, ofResponder, v), after = machine.variable(agent, v);
                if (before === after) return;
                const row = document.createElement("li");
                row.textContent = `${name}.${variable.name}: ${before} \u2192 ${after}`;
                list.append(row);
            });
        return [head, list];
    }
}
