// SPDX-License-Identifier: MIT
//
// A second execution beside the first, on the same clock: the same number of agents, the same seed,
// another protocol or another start. It follows the first one back and forth; if it cannot keep up
// with a fast run, the first one waits.
import { grouped } from "./canvas";
import { element, on, show } from "./dom";
import { Execution } from "./execution";
import { nameOf, type Machine, type Request } from "./machine";
import { RingView } from "./ring";
import { fillProtocols } from "./setup";

const BUDGET_MS = 9;

/** What the second ring is: a protocol and a start. */
export interface Rival { protocol: string; start: string }

/** Who was done first, and by how much, once both are. */
export function verdict(first: Machine, second: Machine): string {
    const [a, b] = [first, second].map((machine) => machine.hit(machine.protocol.target));
    if (a < 0 || b < 0) return "";
    if (a === b) return `Both finished at step ${grouped(a)}.`;
    const winner = (a < b ? first : second).protocol, [early, late] = a < b ? [a, b] : [b, a];
    const times = early > 0 ? `, ${+(late / early).toPrecision(2)} times as fast` : "";
    return `${nameOf(winner)} finished first: step ${grouped(early)} against ${grouped(late)}${times}.`;
}

export class Compare {
    readonly execution: Execution;
    private readonly ring: RingView;
    private first: Request | null = null;
    isOpen = false;

    constructor(private readonly machine: Machine, private readonly other: Machine, scratch: Machine, private readonly changed: () => void) {
        this.execution = new Execution(machine, scratch, { protocol: "", n: 2, parameters: {}, start: "random", seed: 1n, trial: 0n, engine: "event" });
        this.ring = new RingView(element<HTMLCanvasElement>("rival-ring"), machine);
        fillProtocols(element<HTMLSelectElement>("rival-protocol"), machine.protocols);
        element("rival-protocol").addEventListener("change", () => { this.fillStarts(); this.reopen(); });
        element("rival-start").addEventListener("change", () => this.reopen());
        on("compare", () => (this.isOpen ? this.close() : this.open(this.guess())));
        on("rival-close", () => this.close());
    }

    get rival(): Rival | undefined {
        return this.isOpen ? { protocol: this.execution.request.protocol, start: this.execution.request.start } : undefined;
    }

    /** The step at which it was done: 0 if it is closed, -1 if it is not done yet. */
    get hit() { return this.isOpen ? this.machine.hit(this.machine.protocol.target) : 0; }

    /** The first execution is another one now. */
    begin(request: Request): void {
        this.first = request;
        if (this.isOpen) this.reopen();
    }

    /** Somebody who asks for a comparison sees another protocol first. */
    private guess(): Rival {
        const others = this.machine.protocols.filter((p) => p.name !== this.first!.protocol && !p.undirected && p.claim !== "none");
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
        const { protocol } = this.machine, leaders = this.machine.gauges()[0], hit = this.machine.hit(protocol.target);
        show("rival-words", `${nameOf(protocol)}: ${grouped(leaders)} ${leaders === 1 ? "leader" : "leaders"}` +
            (hit >= 0 ? `, done at step ${grouped(hit)}` : ""));
        show("verdict", verdict(this.other, this.machine));
    }
}
