// SPDX-License-Identifier: MIT
//
// A second execution beside the first, on the same clock: as many agents, the same seed, another
// protocol or another start. It follows wherever the first one goes, back and forth; where it
// cannot keep up with a fast run, the first one waits for it.
import { Execution } from "./execution";
import { tellDeed } from "./deeds";
import type { Machine, Request } from "./machine";
import { RingView } from "./ring";

const BUDGET_MS = 9;

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** What the second ring is: a protocol and a start. */
export interface Rival { protocol: string; start: string }

export class Compare {
    readonly execution: Execution;
    private readonly ring: RingView;
    private first: Request | null = null;
    isOpen = false;

    constructor(private readonly machine: Machine, scratch: Machine, private readonly changed: () => void) {
        const request: Request = { protocol: machine.protocols[0].name, n: 2, parameters: {}, start: "random",
            seed: 1n, trial: 0n, engine: "event" };
        this.execution = new Execution(machine, scratch, request, (deed) => tellDeed(deed, machine));
        this.ring = new RingView(element<HTMLCanvasElement>("rival-ring"), machine);
        const protocols = element<HTMLSelectElement>("rival-protocol");
        protocols.append(...machine.protocols.map((p) => new Option(p.name, p.name)));
        protocols.addEventListener("change", () => { this.fillStarts(); this.reopen(); });
        element("rival-start").addEventListener("change", () => this.reopen());
        element("compare").addEventListener("click", () => (this.isOpen ? this.close() : this.open(this.guess())));
        element("rival-close").addEventListener("click", () => this.close());
    }

    get rival(): Rival | undefined {
        return this.isOpen ? { protocol: this.execution.request.protocol, start: this.execution.request.start } : undefined;
    }

    /** The first execution is another one now. */
    begin(request: Request): void {
        this.first = request;
        if (this.isOpen) this.reopen();
    }

    /** Somebody who asks for a comparison sees another protocol first. */
    private guess(): Rival {
        const others = this.machine.protocols.filter((p) => p.name !== this.first!.protocol && !p.undirected);
        const other = others.find((p) => p.name === "fj06") ?? others[0];
        const start = other.starts.some((s) => s.name === this.first!.start) ? this.first!.start : "random";
        return { protocol: other.name, start };
    }

    open(rival: Rival): void {
        element<HTMLSelectElement>("rival-protocol").value = rival.protocol;
        this.fillStarts();
        element<HTMLSelectElement>("rival-start").value = rival.start;
        this.isOpen = true;
        this.reopen();
    }

    close(): void {
        this.isOpen = false;
        this.show();
    }

    private fillStarts(): void {
        const name = element<HTMLSelectElement>("rival-protocol").value;
        const protocol = this.machine.protocols.find((p) => p.name === name)!;
        element("rival-start").replaceChildren(...protocol.starts.map((start) => new Option(start.name, start.name)));
    }

    private reopen(): void {
        const { n, seed, trial, engine } = this.first!;
        const problem = element("rival-problem");
        try {
            this.execution.open({ deeds: [], at: 0, request: { n, seed, trial, engine, parameters: {},
                protocol: element<HTMLSelectElement>("rival-protocol").value,
                start: element<HTMLSelectElement>("rival-start").value } });
            problem.textContent = "";
        } catch (wrong) {
            problem.textContent = (wrong as Error).message;
            this.isOpen = false;
        }
        this.show();
    }

    private show(): void {
        document.body.classList.toggle("comparing", this.isOpen);
        element("rival").hidden = !this.isOpen && element("rival-problem").textContent === "";
        element("rival-stage").hidden = !this.isOpen;
        element("compare").setAttribute("aria-pressed", String(this.isOpen));
        this.changed();
    }

    /** Goes where the first one is, as far as a frame allows; whether it got there. */
    follow(step: number): boolean {
        if (!this.isOpen || this.machine.step === step) return true;
        this.execution.goTo(step, performance.now() + BUDGET_MS);
        return this.machine.step === step || this.execution.stuck;
    }

    draw(now: number): void {
        if (!this.isOpen) return;
        this.ring.draw(now);
        const { protocol } = this.machine;
        const leaders = this.machine.gauges()[0];
        const hit = this.machine.hit(protocol.target);
        element("rival-words").textContent = `${protocol.name}: ${leaders} ${leaders === 1 ? "leader" : "leaders"}` +
            (hit >= 0 ? `, done since step ${hit.toLocaleString("en-US")}` : "");
    }
}
