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
const OPENING_MS = 4000, OPENING_ROWS = 300;
const TOLD_A_FRAME = 6;

export interface Watcher {
    flash(flash: Flash): void;
    told(step: number, lines: string[], isNull: boolean): void;
    /** The ring has moved on; more may follow in this frame. */
    moved(): void;
    /** The step at which a row of the space-time diagram is due. */
    nextRow(): number;
    /** How many steps a frame takes at this pace. */
    pace(steps: number): void;
    stopped(why: "asked" | "goal" | "silent"): void;
}

export class Player {
    playing = false;
    /** Steps a second; Infinity: as fast as it goes. */
    speed = 8;
    private goal = -1;
    private carry = 0;
    private last = 0;
    private still: () => boolean;

    constructor(private readonly execution: Execution, private readonly watcher: Watcher,
        still: () => boolean) {
        this.still = still;
    }

    get isSlow() { return this.goal < 0 && this.speed <= SLOW; }

    play(): void {
        this.playing = true;
        this.goal = -1;
        this.carry = 1;
        this.last = performance.now();
    }

    /** Runs as fast as it goes and stops exactly at the hit of a set. */
    runTo(set: number): void {
        this.play();
        this.goal = set;
    }

    pause(why: "asked" | "goal" | "silent" = "asked"): void {
        const was = this.playing;
        this.playing = false;
        this.goal = -1;
        if (was) this.watcher.stopped(why);
    }

    /** Goes to a step at once, or as far as a few seconds allow. */
    goTo(step: number): void {
        const { machine } = this.execution;
        const deadline = performance.now() + OPENING_MS;
        const stride = Math.max(1, Math.ceil((step - machine.step) / OPENING_ROWS));
        this.watcher.pace(stride * 2.5);
        while (machine.step < step && performance.now() < deadline && !this.execution.stuck) {
            const row = machine.step - (machine.step % stride) + stride;
            this.execution.advance(Math.min(step, row), 4096);
            this.tellLeaders();
            this.watcher.moved();
        }
    }

    /** Does a frame's share of the work. */
    frame(now: number): void {
        if (!this.playing) return;
        const elapsed = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (this.goal >= 0) this.towardsGoal();
        else if (this.speed <= SLOW) this.slowly(elapsed);
        else this.fast(elapsed);
        if (this.playing && this.execution.stuck) this.pause("silent");
    }

    private towardsGoal(): void {
        const machine = this.execution.machine;
        const deadline = performance.now() + BUDGET_MS;
        const begin = machine.step;
        let there = false;
        for (let i = 0; performance.now() < deadline && !there && !this.execution.stuck; i++) {
            there = this.execution.advanceToSet(this.goal);
            this.tellLeaders();
            if (i < 3 || there) this.watcher.moved();
        }
        this.watcher.pace(machine.step - begin);
        this.watcher.moved();
        if (there) this.pause("goal");
    }

    private slowly(elapsed: number): void {
        this.carry = Math.min(4, this.carry + this.speed * elapsed);
        for (; this.carry >= 1 && this.playing; this.carry--) this.oneStep(600 / this.speed);
    }

    private fast(elapsed: number): void {
        const machine = this.execution.machine;
        const deadline = performance.now() + BUDGET_MS;
        const begin = machine.step;
        this.carry += Math.min(this.speed * elapsed, 1e15);
        const end = this.speed === Infinity ? Infinity : begin + Math.floor(this.carry);
        if (end <= begin) return;
        do {
            const count = this.execution.advance(Math.min(end, this.watcher.nextRow()), 4096);
            this.showLast(count);
            this.tellLeaders();
            this.watcher.moved();
        } while (machine.step < end && performance.now() < deadline && !this.execution.stuck);
        this.carry = this.speed === Infinity ? 0 : Math.max(0, Math.min(end - machine.step, 1e6));
        this.watcher.pace(machine.step - begin);
    }

    private showLast(count: number): void {
        const machine = this.execution.machine;
        for (let i = Math.max(0, count - 2); i < count; i++)
            this.watcher.flash({ arc: machine.eventArc(i), changed: true, at: this.last, duration: 0 });
    }

    private tellLeaders(): void {
        const machine = this.execution.machine;
        let at = machine.nextChangeOfLeaders(0);
        for (let told = 0; told < TOLD_A_FRAME && at < machine.lastCount; told++) {
            this.watcher.told(machine.eventStep(at), machine.explain(at), false);
            at = machine.nextChangeOfLeaders(at + 1);
        }
    }

    /** One step, shown; things take `duration` milliseconds to move. */
    oneStep(duration: number): void {
        const machine = this.execution.machine;
        const before = machine.marks().slice();
        const arc = this.execution.step();
        this.show(arc, before, duration);
    }

    /** Goes on to the next event. */
    oneEvent(duration: number): void {
        const machine = this.execution.machine;
        const before = machine.marks().slice();
        for (let i = 0; i < 1000 && !this.execution.stuck; i++)
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
        const machine = this.execution.machine;
        const changed = machine.lastCount > 0;
        const arc = changed ? machine.eventArc(0) : drawn;
        const [l, r] = machine.ends(arc);
        this.watcher.flash({
            arc, changed, at: performance.now(), before: [before[l], before[r]],
            duration: this.still() ? 0 : Math.min(420, duration),
        });
        if (changed) this.watcher.told(machine.step, machine.explain(0), false);
        else this.watcher.told(machine.step, [`u_${l} met u_${r}: nothing changed`], true);
        this.watcher.moved();
    }
}
