// SPDX-License-Identifier: MIT
//
// The first minute, for somebody who opens the page without a link: a ring that is already at work,
// one sentence and one button. What the words speak of has been seen before they say it.
import { grouped } from "./canvas";
import { element, makeButton, on, show } from "./dom";
import type { Execution } from "./execution";
import type { View } from "./link";

/** Twelve agents, four of them leaders; seconds until one is left, and until it has healed. */
const VIEW: View = {
    request: { protocol: "", n: 12, parameters: {}, configuration: Array(4).fill("0Ls 1 2").join(" "), start: "random",
        seed: 3n, trial: 0n, engine: "event" }, deeds: [], at: 0,
};
const ELECTS = 20, HEALS = 12, STRUCK = 6;

export interface Hands {
    open(view: View): boolean;
    play(within: number): void;
    pause(): void;
    corrupt(agents: number): void;
    left(): void;
    isPlaying(): boolean;
    wantsStillness(): boolean;
}

type Act = "elect" | "elected" | "heal" | "healed";

export class Opening {
    private act: Act = "elect";
    private broken = 0;

    constructor(private readonly execution: Execution, private readonly hands: Hands) {
        on("big", () => this.press());
        element("doors").append(
            makeButton("How does it work? (3 min)", () => this.leave("tour-first"), "primary large"),
            makeButton("I know the paper", () => this.leave("tour-paper"), "large"),
            makeButton("Let me play", () => this.leave(), "large"));
        document.querySelector(".skip")!.addEventListener("click", () => this.leave());
    }

    get isOpen() { return document.body.classList.contains("opening"); }

    begin(): void {
        document.body.classList.add("opening");
        this.hands.open({ ...VIEW, request: { ...VIEW.request, protocol: this.execution.machine.protocols.find((p) => p.name === "prl")!.name } });
        this.act = "elect";
        if (!this.hands.wantsStillness()) this.hands.play(ELECTS);
        this.show();
    }

    /** Shows all the rest; opens one of the tours if one was asked for. */
    leave(door?: string): void {
        if (!this.isOpen) return;
        document.body.classList.remove("opening", "celebrating");
        this.hands.left();
        if (door) element(door).click();
    }

    private press(): void {
        if (this.act === "elected") {
            this.broken = this.execution.machine.step;
            this.act = "heal";
            document.body.classList.remove("celebrating");
            this.hands.corrupt(STRUCK);
            this.hands.play(HEALS);
        } else if (this.hands.isPlaying()) this.hands.pause();
        else this.hands.play(this.act === "elect" ? ELECTS : HEALS);
        this.show();
    }

    /** The ring has stopped: of itself, at the last crown, or because somebody wanted it. */
    stopped(isOver: boolean): void {
        if (!this.isOpen) return;
        if (isOver) {
            this.act = this.act === "elect" ? "elected" : "healed";
            document.body.classList.add("celebrating");
        }
        this.show();
    }

    private show(): void {
        const { machine } = this.execution, leaders = machine.gauges()[0];
        show("opening-words", {
            elect: "These agents have no names. Can they agree on one leader?",
            elected: `One leader, after ${grouped(machine.step)} meetings.`,
            heal: `Half of them now remember nonsense: ${leaders === 0 ? "no leader" : leaders === 1 ? "one leader" : `${leaders} leaders`}. Watch it heal.`,
            healed: `Healed, after ${grouped(machine.step - this.broken)} meetings. Nobody helped.`,
        }[this.act]);
        element("big").hidden = this.act === "healed";
        element("doors").hidden = this.act !== "healed";
        show("big", this.act === "elected" ? "Break it" : this.hands.isPlaying() ? "Pause" : "Play");
        element(this.act === "healed" ? "doors" : "big").classList.toggle("calling", this.act !== "elect" && this.act !== "heal");
        if (this.act === "healed") element("doors").querySelector("button")!.focus({ preventScroll: true });
    }
}
