// SPDX-License-Identifier: MIT
//
// The player: makes steps as time goes by, at any pace, and tells the views what happened. Slow, it
// makes one step at a time and each is shown; fast, it works for most of a frame and shows where
// the ring stands. Unless somebody sets a pace, a scout runs ahead on a machine of its own to see
// how long it will take, and the pace is such that it takes half a minute.
import type { Execution } from "./execution";
import type { Flash } from "./ring";

/** Steps a second above which steps are no longer shown one by one. */
const SLOW = 24;
const BUDGET_MS = 9, SCOUT_MS = 4;
const OPENING_MS = 4000;
/** Seconds that Play takes, and the least pace, in steps a second. */
export const WITHIN = 30;
const LEAST_PACE = 4;

type Why = "asked" | "goal" | "silent";

export interface Watcher {
    flash(flash: Flash): void;
    /** The ring stands elsewhere; more may follow in this frame. */
    moved(): void;
    stopped(why: Why): void;
    /** May it go on? */
    ready(): boolean;
    /** The step at which a ring beside this one was done: 0 without one, -1 if it is not yet. */
    beside(): number;
}

/** Where a run ends: the place if it is known by now. */
type Goal = () => number | undefined;

export class Player {
    playing = false;
    /** Steps a second, as set; Infinity: as fast as it goes; 0: such that it ends in `within` seconds. */
    speed = 0;
    private within = WITHIN;
    /** Steps a second. */
    private pace = LEAST_PACE;
    private goal: Goal | null = null;
    private hurries = false;
    private carry = 0;
    private last = 0;
    private left = WITHIN;

    constructor(private readonly execution: Execution, private readonly scout: Execution, private readonly watcher: Watcher,
        private readonly still: () => boolean) {}

    /** Plays; without a speed that was set, to the target and no further, if it is not there. */
    play(within = WITHIN): void {
        const { machine } = this.execution;
        this.playing = true;
        this.hurries = false;
        this.carry = 1;
        this.last = performance.now();
        this.within = this.left = within;
        this.goal = null;
        if (this.speed > 0) return;
        this.pace = this.stays(machine.protocol.target) ? Math.max(LEAST_PACE, machine.n) : LEAST_PACE;
        if (!this.stays(machine.protocol.target)) this.goal = this.hitOf(machine.protocol.target);
        if (this.goal) this.scout.open(this.execution.view);
    }

    pause(why: Why = "asked"): void {
        const was = this.playing;
        this.playing = false;
        this.goal = null;
        if (was) this.watcher.stopped(why);
    }

    // ---- runs to a place ---------------------------------------------------------------------

    private run(goal: Goal): void {
        this.play();
        this.goal = goal;
        this.hurries = true;
    }

    /** Is it in a set, and nothing else to come? */
    private stays(set: number): boolean {
        const { machine, isDone } = this.execution, beside = this.watcher.beside();
        return machine.hit(set) >= 0 && isDone && beside >= 0 && beside <= machine.step;
    }

    private hitOf(set: number): Goal {
        const { machine } = this.execution, begin = machine.step, before = machine.hit(set);
        return () => {
            const hit = machine.hit(set), beside = this.watcher.beside(), place = Math.max(hit, beside);
            if (!this.execution.isDone || hit < 0 || beside < 0) return undefined;
            // What settled before `begin` is seen only later: then it is the present that counts.
            return place > begin ? place : before < 0 ? machine.step : undefined;
        };
    }

    /** Stops exactly at the next hit of a set. Where the ring is in it and nothing else is to come,
     *  it goes on for n^2 steps instead, to see that it stays. */
    runTo(set: number): void {
        const { machine } = this.execution, end = machine.step + machine.n ** 2;
        this.run(this.stays(set) ? () => (machine.step >= end ? end : undefined) : this.hitOf(set));
    }

    runToLandmark(): void {
        const begin = this.execution.machine.step;
        this.run(() => this.execution.record.landmarkAfter(begin)?.step);
    }

    /** Looks ahead for a while; sets the pace by how far it is, or at least how far it was seen. */
    private plan(elapsed: number): void {
        const { machine } = this.scout, { target } = machine.protocol, now = this.execution.machine.step;
        const there = () => (this.scout.isDone && machine.hit(target) >= 0) || this.scout.stuck;
        for (const deadline = performance.now() + SCOUT_MS; performance.now() < deadline && !there();) this.scout.advance(Infinity);
        this.left = Math.max(this.within / 10, this.left - elapsed);
        const end = machine.hit(target) > now ? machine.hit(target) : machine.step;
        this.pace = Math.max(LEAST_PACE, (end - now) / this.left);
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
        if (this.speed > 0) this.pace = this.speed;
        else if (this.goal && !this.hurries) this.plan(elapsed);
        if (this.hurries) this.hurry();
        else if (this.pace <= SLOW) this.slowly(elapsed);
        else this.fast(elapsed);
        if (this.playing && this.execution.stuck) this.pause("silent");
    }

    /** Has it come to where it goes? Then it stands there. */
    private isThere(): boolean {
        const there = this.goal?.();
        if (there === undefined) return false;
        this.execution.goTo(there);
        this.pause("goal");
        return true;
    }

    private hurry(): void {
        const deadline = performance.now() + BUDGET_MS;
        while (!this.isThere() && performance.now() < deadline && !this.execution.stuck) this.execution.advance(Infinity);
        this.watcher.moved();
    }

    private slowly(elapsed: number): void {
        this.carry = Math.min(4, this.carry + this.pace * elapsed);
        for (; this.carry >= 1 && this.playing && !this.execution.stuck; this.carry--) {
            this.oneStep(600 / this.pace);
            if (this.isThere()) return;
        }
    }

    private fast(elapsed: number): void {
        const machine = this.execution.machine;
        const deadline = performance.now() + BUDGET_MS;
        const begin = machine.step;
        this.carry += Math.min(this.pace * elapsed, 1e15);
        const end = this.pace === Infinity ? Infinity : begin + Math.floor(this.carry);
        if (end <= begin) return;
        let count = 0;
        do count = this.execution.advance(end);
        while (machine.step < end && performance.now() < deadline && !this.execution.stuck);
        this.showLast(count);
        this.carry = this.pace === Infinity ? 0 : Math.max(0, Math.min(end - machine.step, 1e6));
        this.isThere();
        this.watcher.moved();
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
