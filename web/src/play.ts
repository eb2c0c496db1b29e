// SPDX-License-Identifier: MIT
//
// The player: makes steps as time goes by, at any pace, and tells the views what happened. Slow, it
// makes one step at a time and each is shown; fast, it works for most of a frame and shows where
// the ring stands.
import type { Execution } from "./execution";
import type { Flash } from "./ring";

/** Steps a second above which steps are no longer shown one by one. */
const SLOW = 24;
const BUDGET_MS = 9;
const OPENING_MS = 4000;

export interface Watcher {
    flash(flash: Flash): void;
    /** The ring stands elsewhere; more may follow in this frame. */
    moved(): void;
    stopped(why: "asked" | "goal" | "silent"): void;
    /** May it go on? */
    ready(): boolean;
}

/** Where a run ends: the place if it is known by now. */
type Goal = () => number | undefined;

export class Player {
    playing = false;
    /** Steps a second; Infinity: as fast as it goes. */
    speed = 8;
    private goal: Goal | null = null;
    private carry = 0;
    private last = 0;

    constructor(private readonly execution: Execution, private readonly watcher: Watcher,
        private readonly still: () => boolean) {}

    play(): void {
        this.playing = true;
        this.goal = null;
        this.carry = 1;
        this.last = performance.now();
    }

    pause(why: "asked" | "goal" | "silent" = "asked"): void {
        const was = this.playing;
        this.playing = false;
        this.goal = null;
        if (was) this.watcher.stopped(why);
    }

    // ---- runs to a place ---------------------------------------------------------------------

    private run(goal: Goal): void {
        this.play();
        this.goal = goal;
    }

    /** Stops exactly at the next hit of a set. Where the ring is in it and nothing else is to come,
     *  it goes on for n^2 steps instead, to see that it stays. */
    runTo(set: number): void {
        const { machine, view } = this.execution;
        const begin = machine.step, before = machine.hit(set);
        const stays = before >= 0 && !view.deeds.some((deed) => deed.step >= begin);
        this.run(stays
            ? () => (machine.step >= begin + machine.n ** 2 ? begin + machine.n ** 2 : undefined)
            : () => {
                const hit = machine.hit(set);
                // What settled before `begin` is seen only later: then it is the present that counts.
                return hit > begin ? hit : hit >= 0 && before < 0 ? machine.step : undefined;
            });
    }

    runToLandmark(): void {
        const begin = this.execution.machine.step;
        this.run(() => this.execution.record.landmarkAfter(begin)?.step);
    }

    /** Goes to a step at once, or as far as a few seconds allow; whether it got there. */
    goTo(step: number): boolean {
        this.pause();
        this.execution.goTo(step, performance.now() + OPENING_MS);
        this.watcher.moved();
        return this.execution.machine.step >= step;
    }

    /** Does a frame's share of the work. */
    frame(now: number): void {
        if (!this.playing || !this.watcher.ready()) return;
        const elapsed = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (this.goal) this.towards(this.goal);
        else if (this.speed <= SLOW) this.slowly(elapsed);
        else this.fast(elapsed);
        if (this.playing && this.execution.stuck) this.pause("silent");
    }

    private towards(goal: Goal): void {
        const deadline = performance.now() + BUDGET_MS;
        let there = goal();
        while (there === undefined && performance.now() < deadline && !this.execution.stuck) {
            this.execution.advance(Infinity);
            there = goal();
        }
        if (there !== undefined) {
            this.execution.goTo(there);
            this.pause("goal");
        }
        this.watcher.moved();
    }

    private slowly(elapsed: number): void {
        this.carry = Math.min(4, this.carry + this.speed * elapsed);
        for (; this.carry >= 1 && this.playing && !this.execution.stuck; this.carry--)
            this.oneStep(600 / this.speed);
    }

    private fast(elapsed: number): void {
        const machine = this.execution.machine;
        const deadline = performance.now() + BUDGET_MS;
        const begin = machine.step;
        this.carry += Math.min(this.speed * elapsed, 1e15);
        const end = this.speed === Infinity ? Infinity : begin + Math.floor(this.carry);
        if (end <= begin) return;
        let count = 0;
        do count = this.execution.advance(end);
        while (machine.step < end && performance.now() < deadline && !this.execution.stuck);
        this.showLast(count);
        this.watcher.moved();
        this.carry = this.speed === Infinity ? 0 : Math.max(0, Math.min(end - machine.step, 1e6));
    }

    private showLast(count: number): void {
        const machine = this.execution.machine;
        for (let i = Math.max(0, count - 2); i < count; i++)
            this.watcher.flash({ arc: machine.eventArc(i), changed: true, at: this.last, duration: 0 });
    }

    // ---- single steps ------------------------------------------------------------------------

    /** One step, shown; things take `duration` milliseconds to move. */
    oneStep(duration: number): void {
        const before = this.execution.machine.marks().slice();
        this.show(this.execution.step(), before, duration);
    }

    /** Goes on to the next event. */
    oneEvent(duration: number): void {
        const { machine } = this.execution;
        const before = machine.marks().slice();
        for (let i = 0; i < 4000 && !this.execution.stuck; i++)
            if (this.execution.advance(Infinity, 1) > 0) {
                this.show(machine.eventArc(0), before, duration);
                return;
            }
        this.watcher.stopped("silent");
    }

    /** An interaction by hand. */
    byHand(arc: number, duration: number): void {
        const before = this.execution.machine.marks().slice();
        this.execution.do({ kind: "arc", arc });
        this.show(arc, before, duration);
    }

    private show(drawn: number, before: Uint8Array, duration: number): void {
        const { machine, record } = this.execution;
        const changed = machine.lastCount > 0;
        const arc = changed ? machine.eventArc(0) : drawn;
        const [l, r] = machine.ends(arc);
        this.watcher.flash({
            arc, changed, at: performance.now(), before: [before[l], before[r]],
            duration: this.still() ? 0 : Math.min(420, duration),
        });
        record.noteStep(changed ? { step: machine.step, kind: "event", lines: machine.explain(0) }
            : { step: machine.step, kind: "null", lines: [`u_${l} met u_${r}: nothing changed`] });
        this.watcher.moved();
    }
}
