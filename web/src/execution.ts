// SPDX-License-Identifier: MIT
//
// An execution as the page holds it: the machine, what was asked of it, and every deed done to it,
// so that the same link gives the same execution again. Time is a line that can be walked both
// ways: snapshots of the machine stand along the part that is known, and a step is reached again by
// replay from the last one before it. Whatever is done in the past makes another future.
//
// A deed at step t is done as soon as the ring stands at t; an interaction by hand at t is the step
// from t to t + 1. There are at most MOST_SNAPSHOTS; when they are full every other one goes and
// they are set twice as far apart, so that a replay takes at most a share of what was done so far.
import { tellDeed, tellStart } from "./deeds";
import { writeDeed, type Deed, type View } from "./link";
import type { Machine, Request } from "./machine";
import { grouped } from "./canvas";
import { Record } from "./record";

/** A deed before it has a step. */
export type Wish = Deed extends infer D ? (D extends Deed ? Omit<D, "step"> : never) : never;

interface Snapshot { step: number; done: number; slot: number }

const MOST_SNAPSHOTS = 48, LEAST_WORK = 4096, BATCH = 4096;

export class Execution {
    request: Request;
    readonly record: Record;
    /** All deeds, in order; the first `done` of them have been done at this step. */
    private deeds: Deed[] = [];
    private done = 0;
    /** The deeds that the record has. */
    private noted = 0;
    /** How far the execution is known. */
    furthest = 0;
    private hits: number[] = [];
    private snapshots: Snapshot[] = [];
    private between = LEAST_WORK;
    private unsaved = 0;

    /** A wrong request spoils a machine, so each is tried on `scratch` first. */
    constructor(readonly machine: Machine, private readonly scratch: Machine, request: Request) {
        this.request = request;
        this.record = new Record(machine);
    }

    /** Opens a view at its start. Throws if it is wrong, and all stays as it was. */
    open(view: View): void {
        this.scratch.open(view.request);
        const wrong = view.deeds.find((deed) => !isPossible(deed, this.scratch));
        if (wrong) throw new Error(`\u201c${writeDeed(wrong)}\u201d is impossible on this ring of ${grouped(view.request.n)} agents`);
        this.machine.open(view.request);
        this.request = view.request;
        this.deeds = [...view.deeds].sort((a, b) => a.step - b.step);
        this.done = this.noted = this.furthest = this.unsaved = 0;
        this.between = LEAST_WORK;
        this.snapshots = [];
        this.hits = this.machine.protocol.sets.map(() => -1);
        this.record.begin();
        this.record.note({ step: 0, kind: "start", lines: [tellStart(view.request)] });
        this.save();
        this.record.look(true);
        this.noteHits();
        this.settle();
    }

    /** Nothing can change any more and nothing waits. */
    get stuck() { return this.machine.silent && this.isDone; }

    /** Has all been done that is to be done to the ring? */
    get isDone() { return this.done === this.deeds.length; }

    get view(): View {
        return { request: this.request, deeds: this.deeds, at: this.machine.step };
    }

    /** Was something done to the ring as it stands, after its last interaction? */
    get isDisturbed() { return this.deeds[this.done - 1]?.step === this.machine.step && this.deeds[this.done - 1].kind !== "arc"; }

    /** Is there a known future? */
    get isPast() { return this.machine.step < this.furthest || this.done < this.noted; }

    // ---- forwards ----------------------------------------------------------------------------

    private get next(): Deed | undefined { return this.deeds[this.done]; }

    private perform(deed: Deed): void {
        const { machine } = this;
        this.done++;
        switch (deed.kind) {
            case "fault": return machine.fault(deed.agents);
            case "set": return machine.set(deed.agent, deed.variable, deed.value);
            case "crown": return machine.crown(deed.from, deed.to, deed.leads);
            case "arc": machine.interact(deed.arc);
        }
    }

    /** Does what is to be done to the ring as it stands. */
    private settle(): void {
        while (this.next && this.next.kind !== "arc" && this.next.step <= this.machine.step) {
            const deed = this.next, isNew = this.done >= this.noted;
            if (isNew) this.record.look(true);
            this.perform(deed);
            if (isNew) this.noteDeed(deed);
        }
    }

    private noteDeed(deed: Deed): void {
        const { label, line } = tellDeed(deed, this.machine);
        this.noted = this.done;
        this.record.note({ step: deed.step, kind: "deed", lines: [line], label });
        if (deed.kind !== "arc") {
            this.hits = this.hits.map(() => -1);
            this.record.look(true);
            this.noteHits();
        }
    }

    /** Goes on to step `until`, or for some events, or for a spell of work; the number of events. */
    advance(until: number, events = BATCH): number {
        const { machine } = this;
        if (this.next?.kind === "arc" && this.next.step <= machine.step) return this.byHand();
        const known = this.isPast;
        const end = Math.min(until, this.next?.step ?? Infinity, known ? this.furthest : this.record.nextRow);
        const count = machine.advance(end, events);
        if (!known) this.noteBatch(count);
        this.settle();
        return count;
    }

    private byHand(): number {
        const deed = this.next!, isNew = this.done >= this.noted;
        this.perform(deed);
        const count = this.machine.lastCount;
        if (isNew) {
            this.noteBatch(count);
            this.noted = this.done;
        }
        return count;
    }

    private noteBatch(count: number): void {
        const { machine, record } = this;
        /* What it would take to do it again: one engine works by events, the other by steps. */
        this.unsaved += this.request.engine === "step" ? machine.step - this.furthest : count;
        this.furthest = machine.step;
        for (let at = machine.nextChangeOfLeaders(0); at < count; at = machine.nextChangeOfLeaders(at + 1))
            record.note({ step: machine.eventStep(at), kind: "change", lines: machine.explain(at) });
        this.noteHits();
        record.look();
        if (this.unsaved >= this.between) this.save();
    }

    private noteHits(): void {
        const { protocol } = this.machine;
        protocol.sets.forEach((set, i) => {
            const hit = this.machine.hit(i);
            if (hit >= 0 && this.hits[i] < 0) {
                const line = i === protocol.target && !protocol.text ? `one leader, forever: the ring is in ${set.name}`
                    : `now in ${set.name}: ${set.meaning}`;
                this.record.note({ step: hit, kind: "hit", lines: [line], label: set.name });
                this.record.look(true);
            }
            this.hits[i] = hit;
        });
    }

    private save(): void {
        this.unsaved = 0;
        if (this.snapshots.length === MOST_SNAPSHOTS) {
            this.snapshots = this.snapshots.filter((_, i) => i % 2 === 0);
            this.between *= 2;
        }
        const taken = new Set(this.snapshots.map((snapshot) => snapshot.slot));
        let slot = 0;
        while (taken.has(slot)) slot++;
        this.machine.save(slot);
        this.snapshots.push({ step: this.machine.step, done: this.done, slot });
    }

    // ---- anywhere ----------------------------------------------------------------------------

    private restore(snapshot: Snapshot): void {
        this.machine.restore(snapshot.slot);
        this.done = snapshot.done;
        this.settle();
    }

    private snapshotBefore(step: number): Snapshot {
        return this.snapshots.findLast((snapshot) => snapshot.step <= step) ?? this.snapshots[0];
    }

    /** Stands at a step that is known, or goes on to it; `deadline` ends an endless way. */
    goTo(step: number, deadline = Infinity): void {
        const { machine } = this;
        const from = this.snapshotBefore(step - 1); // so that the last step is made, and can be told
        if (step < machine.step || from.step > machine.step) this.restore(from);
        while (machine.step < step - 1 && !this.stuck && performance.now() < deadline) this.advance(step - 1);
        if (machine.step === step - 1) this.advance(step, 1); // alone
    }

    /** The last step before this one at which an interaction changed a state; 0 if there is none. */
    eventBefore(): number {
        const now = this.machine.step;
        for (let end = now - 1; end > 0;) {
            const from = this.snapshotBefore(end - 1);
            this.restore(from);
            let found = 0;
            while (this.machine.step < end && !this.stuck) {
                const count = this.advance(end);
                if (count > 0) found = this.machine.eventStep(count - 1);
            }
            if (found > 0) return found;
            end = from.step;
        }
        return 0;
    }

    // ---- branching ---------------------------------------------------------------------------

    /** Does something to the ring now; what came after this step is forgotten. */
    do(wish: Wish): void {
        const { machine } = this;
        if (this.isPast) this.branch();
        this.deeds.push({ ...wish, step: machine.step } as Deed);
        if (wish.kind === "arc") this.byHand();
        else this.settle();
    }

    private branch(): void {
        const { step } = this.machine;
        this.deeds = this.deeds.slice(0, this.done);
        this.noted = this.done;
        this.furthest = step;
        this.snapshots = this.snapshots.filter((s, i) => i === 0 || (s.step <= step && s.done <= this.done));
        this.record.cut(step);
        this.hits = this.machine.protocol.sets.map((_, i) => this.machine.hit(i));
    }

    /** One step; the arc that interacted. */
    step(): number {
        if (this.next?.kind === "arc" && this.next.step <= this.machine.step) {
            const { arc } = this.next;
            this.byHand();
            return arc;
        }
        const known = this.isPast;
        const arc = this.machine.stepOnce();
        if (!known) this.noteBatch(this.machine.lastCount);
        this.settle();
        return arc;
    }
}

function isPossible(deed: Deed, machine: Machine): boolean {
    switch (deed.kind) {
        case "fault": return deed.agents >= 1 && deed.agents <= machine.n;
        case "arc": return deed.arc < machine.arcs;
        case "crown": return deed.from <= deed.to && deed.to <= machine.n;
        case "set":
            return deed.agent < machine.n && deed.variable < machine.protocol.variables.length &&
                deed.value < machine.variableSize(deed.variable);
    }
}
