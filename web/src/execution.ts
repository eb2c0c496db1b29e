// SPDX-License-Identifier: MIT
//
// An execution as the page holds it: the machine, what was asked of it, and every deed done to it,
// so that the same link gives the same execution again. Deeds that a link brings wait for their
// step; the machine stops there by itself.
import type { Deed, View } from "./link";
import type { Machine, Request } from "./machine";

/** A deed before it has a step. */
export type Wish = Deed extends infer D ? (D extends Deed ? Omit<D, "step"> : never) : never;

export class Execution {
    request: Request;
    done: Deed[] = [];
    private waiting: Deed[] = [];

    /** A wrong request spoils a machine, so each is tried on `scratch` first. */
    constructor(readonly machine: Machine, private readonly scratch: Machine, request: Request) {
        this.request = request;
    }

    /** Opens a view at its start. Throws if it is wrong, and all stays as it was. */
    open(view: View): void {
        this.scratch.open(view.request);
        this.machine.open(view.request);
        this.request = view.request;
        this.done = [];
        this.waiting = view.deeds.filter((deed) => this.isPossible(deed));
        this.waiting.sort((a, b) => a.step - b.step);
        this.settle();
    }

    /** Nothing can change any more and nothing waits. */
    get stuck() {
        return this.machine.silent && this.waiting.length === 0;
    }

    get view(): View {
        const deeds = [...this.done, ...this.waiting];
        return { request: this.request, deeds, at: this.machine.step };
    }

    /** The next step at which something waits. */
    private get barrier(): number {
        return this.waiting.length > 0 ? this.waiting[0].step : Infinity;
    }

    private settle(): void {
        while (this.waiting.length > 0 && this.waiting[0].step <= this.machine.step) {
            const deed = this.waiting.shift()!;
            const before = this.machine.step;
            this.perform(deed);
            this.done.push({ ...deed, step: before });
            if (this.machine.step > before) break;
        }
    }

    private perform(deed: Wish): void {
        switch (deed.kind) {
            case "fault": return this.machine.fault(deed.agents);
            case "set": return this.machine.set(deed.agent, deed.variable, deed.value);
            case "crown": return this.machine.crown(deed.from, deed.to, deed.leads);
            case "arc": this.machine.interact(deed.arc);
        }
    }

    private isPossible(deed: Deed): boolean {
        const { n, arcs, protocol } = this.machine;
        switch (deed.kind) {
            case "fault": return deed.agents <= n;
            case "arc": return deed.arc < arcs;
            case "crown": return deed.from <= deed.to && deed.to <= n;
            case "set":
                return deed.agent < n && deed.variable < protocol.variables.length &&
                    deed.value < this.machine.variableSize(deed.variable);
        }
    }

    /** Does something to the ring now. */
    do(wish: Wish): void {
        this.done.push({ ...wish, step: this.machine.step } as Deed);
        this.perform(wish);
    }

    advance(until: number, events: number): number {
        const count = this.machine.advance(Math.min(until, this.barrier), events);
        this.settle();
        return count;
    }

    advanceToSet(set: number): boolean {
        if (this.barrier < Infinity) {
            this.advance(this.barrier, 4096);
            return false;
        }
        return this.machine.advanceToSet(Infinity, set);
    }

    /** One step; the arc that interacted. */
    step(): number {
        const arc = this.machine.stepOnce();
        this.settle();
        return arc;
    }
}
