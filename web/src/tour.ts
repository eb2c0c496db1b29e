// SPDX-License-Identifier: MIT
//
// A guided tour for a reader of the paper. A stop is a link like any other, some interactions by
// hand that bring out its point, and a pace at which to go on.
import { withIndices } from "./commentary";

export interface Stop {
    title: string;
    text: string[];
    view: string;
    /** Arcs to interact by hand, one after the other. */
    arcs: number[];
    /** Steps a second afterwards; 0: stay. */
    speed: number;
}

export const STOPS: Stop[] = [
    {
        title: "No leader: the count to N",
        text: [
            "Every agent is a follower. dist is meant to be the distance to the nearest leader on the left, and each agent takes it from its left neighbour, plus one (line 2).",
            "Without a leader it grows and grows. The agent that counts to N = 12 knows that there is none, becomes a leader, raises a shield and fires a live bullet (lines 3\u20135).",
        ],
        view: "#p=prl&n=12&start=leaderless&seed=4", arcs: [], speed: 14,
    },
    {
        title: "Two leaders duel",
        text: [
            "Each leader shoots to the right. A bullet-absence signal runs back from the next leader; when it arrives, the last bullet is gone and the leader may fire anew.",
            "If its next interaction is with its right neighbour it fires live and raises its shield (lines 6\u20138); if with its left one, it fires a dummy bullet and lowers it (lines 9\u201311). The scheduler tosses the coin.",
        ],
        view: "#p=prl&n=12&start=opposite&seed=2", arcs: [], speed: 16,
    },
    {
        title: "Why a dummy bullet lowers the shield",
        text: [
            "Two shielded leaders could shoot at each other for ever. So a leader pays for each shot with a coin: here u_0 meets its left neighbour first, fires a dummy bullet and lowers its shield.",
            "u_4 meets its right neighbour and fires live. Its bullet walks round to u_0, finds no shield, and one leader is left. u_4 could not be killed meanwhile: who fires live is shielded.",
        ],
        view: "#p=prl&n=8&seed=1&c=0Ls!+1+2+3+0Ls!+1+2+3", arcs: [7, 4, 5, 6, 7], speed: 0,
    },
    {
        title: "A bullet that is not peaceful",
        text: [
            "An adversary chose this start: a live bullet at u_9 though the only leader, u_0, has no shield. No leader fired it; it is not peaceful, and it kills the last leader.",
            "Nothing is lost. The followers count on, one of them reaches N, and the ring has a leader again. From then on every bullet is one that a leader fired: C_PB.",
        ],
        view: "#p=prl&n=12&seed=3&c=0L+1+2+3+4+5+6+7+8+9B+10+11", arcs: [9, 10, 11], speed: 20,
    },
    {
        title: "The paper\u2019s example: n = N = 100",
        text: [
            "Section 4.1: u_0 and u_50 lead, every agent is secure, and the live bullet at u_49 is peaceful. One might think that no leader can be created any more.",
            "But let u_49 meet u_50 twice: the bullet kills u_50, and then u_50, a follower now, counts 99 + 1 = N and becomes a leader again. The bullet was not modest; that is why C_NI asks for modest bullets.",
        ],
        view: "#p=prl&n=100&start=paper&seed=1", arcs: [49, 49], speed: 0,
    },
    {
        title: "Break it, watch it heal",
        text: [
            "A ring of 40 at rest in S_RL. After 600 steps half of the agents get random states: false leaders, stray bullets, wrong distances.",
            "Watch the timeline: false leaders are shot, counts settle, and S_RL is reached again. Corrupt it yourself as often as you like: click an agent and edit it.",
        ],
        view: "#p=prl&n=40&start=safe&seed=5&do=600.fault.20", arcs: [], speed: 240,
    },
    {
        title: "S_RL, for ever",
        text: [
            "One leader, every agent secure, every live bullet modest. The leader goes on shooting round the ring and being told so by signals, but no bullet can kill it and nobody will ever count to N.",
            "S_RL is closed: whatever the scheduler does, the leader stays. Leave it running.",
        ],
        view: "#p=prl&n=32&start=safe&seed=11", arcs: [], speed: 400,
    },
];

const element = (id: string) => document.getElementById(id)!;
const PAUSE_MS = 1300;

export class Tour {
    private place = 0;
    private timer = 0;

    constructor(private readonly hands: {
        open(fragment: string): void;
        meet(arc: number): void;
        play(speed: number): void;
    }) {
        element("tour-open").addEventListener("click", () => this.go(0));
        element("tour-next").addEventListener("click", () => this.next());
        element("tour-back").addEventListener("click", () => this.go(this.place - 1));
        element("tour-again").addEventListener("click", () => this.begin());
        element("tour-close").addEventListener("click", () => this.close());
    }

    get isOpen() { return !element("tour").hidden; }

    close(): void {
        this.leave();
        element("tour").hidden = true;
        document.querySelector("main")!.classList.remove("touring");
        element("tour-open").focus();
    }

    /** The reader has gone elsewhere: what was to follow here does not. */
    leave(): void {
        clearTimeout(this.timer);
    }

    private next(): void {
        if (this.place + 1 < STOPS.length) this.go(this.place + 1);
        else this.close();
    }

    private go(place: number): void {
        this.place = Math.max(0, place);
        const stop = STOPS[this.place];
        element("tour").hidden = false;
        document.querySelector("main")!.classList.add("touring");
        element("tour-place").textContent = `Stop ${this.place + 1} of ${STOPS.length}`;
        element("tour-title").replaceChildren(...withIndices(stop.title));
        element("tour-text").replaceChildren(...stop.text.map((text) => {
            const paragraph = document.createElement("p");
            paragraph.append(...withIndices(text));
            return paragraph;
        }));
        element("tour-back").toggleAttribute("disabled", this.place === 0);
        element("tour-next").textContent = this.place + 1 < STOPS.length ? "Next" : "Done";
        element("tour-title").focus({ preventScroll: true });
        scrollTo(0, 0);
        this.begin();
    }

    private begin(): void {
        this.leave();
        this.hands.open(STOPS[this.place].view);
        this.goOn(0);
    }

    /** Interaction by hand number `index`, then the rest. */
    private goOn(index: number): void {
        const stop = STOPS[this.place];
        this.timer = window.setTimeout(() => {
            if (index < stop.arcs.length) {
                this.hands.meet(stop.arcs[index]);
                this.goOn(index + 1);
            } else if (stop.speed > 0) this.hands.play(stop.speed);
        }, PAUSE_MS);
    }
}
