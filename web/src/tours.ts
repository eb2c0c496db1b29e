// SPDX-License-Identifier: MIT
//
// The two guided tours, as data. The first presumes nothing and asks the reader to lend a hand; the
// second is for a reader of the paper. A stop is a link like any other, sentences, and what happens
// there: interactions by hand that bring out its point, a pace at which to go on, or a task.
import bound from "virtual:ringleader-bound";
import type { Machine } from "./machine";

export interface Task {
    ask: string;
    /** Has the reader done it? `deeds`: how often something was done to the ring. */
    done(machine: Machine, deeds: number): boolean;
    /** For "Show me": interactions that do it, or a button that does. */
    arcs?: number[];
    press?: string;
    /** What is said when it is done. */
    praise: string;
}

export interface Stop {
    title: string;
    text: string[];
    view: string;
    /** Arcs to interact by hand, one after the other. */
    arcs?: number[];
    /** Steps a second afterwards; without it the ring stays as it is. */
    speed?: number;
    task?: Task;
    /** How much of the page is there: the ring alone, or with what breaks it; without it, all. */
    shows?: "ring" | "break";
}

const stop = (title: string, view: string, more: Partial<Stop>, text: string[], task?: Task): Stop => ({ title, view, text, task, ...more });

export interface Tour {
    name: string;
    /** One sentence at a time. */
    bySentence: boolean;
    stops: Stop[];
}

const leads = (machine: Machine, agent: number) => (machine.marks()[agent] & 1) !== 0;
const leaders = (machine: Machine) => machine.gauges()[0];

const FIRST: Stop[] = [
    stop("A ring of small devices", "#p=prl&n=8&start=leaderless&seed=1", { shows: "ring" }, [
        "Each disc is an agent: a device with a few bytes of memory. They stand in a ring. Clockwise is to the right.",
        "An agent has no name and sees nobody but its two neighbours. The numbers outside the ring are for you; the agents do not know them.",
    ]),
    stop("You are the scheduler", "#p=prl&n=8&start=leaderless&seed=1", { shows: "ring" }, [
        "All that ever happens is that two neighbours meet. Each looks at the other\u2019s memory and changes its own by a fixed rule.",
        "Who meets next is chance: something outside, the scheduler, draws one pair after the other.",
    ], {
        ask: "Be the scheduler: click the line between two discs, three times. (Or press Step, and let chance draw.)",
        done: (machine) => machine.step >= 3, arcs: [0, 1, 2], praise: "Three meetings. That is all a scheduler does.",
    }),
    stop("What they should agree on", "#p=prl&n=8&seed=1&c=0Ls+1+2+3+4+5+6+7", { shows: "ring" }, [
        "In the end exactly one agent should wear a crown, and keep it for ever. It is the leader.",
        "With names that would be easy: the smallest name wins. Without names all agents are alike, and only chance can tell them apart.",
    ]),
    stop("From any state at all", "#p=prl&n=12&start=safe&seed=5", { shows: "break" }, [
        "Now the hard part. Nobody promises how it begins: memory may hold anything. No leader, ten of them, bullets that nobody fired.",
        "Even a ring that has its leader may be hit by a fault. It must recover by itself, each time; that is called self-stabilizing.",
    ], {
        ask: "Press Corrupt (or Crown everyone) and see what a fault leaves behind.",
        done: (_machine, deeds) => deeds > 0, press: "corrupt", praise: "Broken. Press Play if you want to see it heal.",
    }),
    stop("Too many leaders: bullets", "#p=prl&n=8&seed=1&c=0L+1+2+3+0Ls+1+2B+3", { shows: "ring" }, [
        "Leaders get rid of each other. A leader fires a bullet to its right, clockwise, and the bullet walks on by one agent at each meeting.",
        "A full bullet is live: it unseats the first leader it reaches, unless that leader has a shield, the blue ring around it.",
    ], {
        ask: "Make u_0 lose: let the bullet walk to it. Click the line to the right of the bullet, again and again.",
        done: (machine) => !leads(machine, 0), arcs: [6, 7], praise: "u_0 had no shield: it has lost its crown.",
    }),
    stop("A shield for a shot", "#p=prl&n=8&seed=1&c=0Ls!+1+2+3+0Ls!+1+2+3", { shows: "ring" }, [
        "Why does the last leader not shoot itself? Because a leader that fires a live bullet raises its shield, and keeps it until that bullet has arrived.",
        "Why does not everybody hide behind a shield? Because it is a toss. A leader that meets its right neighbour first fires live and is shielded. If it meets its left one first, it fires a dummy, a hollow bullet that harms nobody, and its shield is down.",
    ], {
        ask: "Both leaders are about to fire. Make u_0 lose again: give it the unlucky toss (let u_7 meet u_0), and u_4 the lucky one (let u_4 meet u_5).",
        done: (machine) => !leads(machine, 0), arcs: [7, 4, 5, 6, 7], praise: "One leader is left, and chance has chosen it.",
    }),
    stop("When to fire again", "#p=prl&n=12&start=opposite&seed=2", { speed: 10, shows: "ring" }, [
        "A leader waits until its last bullet has arrived. How does it know? The next leader sends a signal back, a green hook that runs to the left.",
        "A bullet on its way puts the signal out. So when a signal reaches a leader, no bullet of its own is under way, and it may fire.",
    ]),
    stop("No leader at all: counting", "#p=prl&n=8&start=leaderless&seed=4", { shows: "ring" }, [
        "Without a leader nobody shoots, and nothing would ever change. So every agent keeps a number: how far it thinks the next leader to its left is.",
        "It takes its left neighbour\u2019s number plus one. A leader has 0, so with a leader the numbers stay small. Without one they grow and grow.",
        "All agents know a bound N that is at least their number. An agent that counts to N has gone all round the ring without meeting a leader, and becomes one.",
    ], {
        ask: "Press Play, or be a patient scheduler, until somebody is crowned.",
        done: (machine) => leaders(machine) > 0, press: "play", praise: "Somebody counted to N, and there is a leader again.",
    }),
    stop("Now all of it", "#p=prl&n=32&start=random&seed=7", {}, [
        "Thirty-two agents with random memory. Press Play, or \u201cRun to the end\u201d: false leaders fall, numbers settle, one is left.",
        "S_RL is the name of the place where it is over: one leader, and nothing in anybody\u2019s memory that could unseat it or crown another. From there on it stays so, whatever the scheduler does.",
    ], {
        ask: "Bring it to S_RL. Then drag along the timeline to see again how it came to that.",
        done: (machine) => machine.hit(machine.protocol.target) >= 0, press: "run-to", praise: "One leader, for ever. Drag along the timeline to see how.",
    }),
    stop("Your ring", "#p=prl&n=24&start=safe&seed=11", { speed: 60 }, [
        "Break it as you like; it will heal. \u201cWhy it works\u201d shows what is still missing, \u201cThe rule\u201d the nineteen lines that every agent runs.",
        "The second tour tells the same to a reader of the paper.",
    ]),
];

const PAPER: Stop[] = [
    stop("No leader: the count to N", "#p=prl&n=12&start=leaderless&seed=4", { speed: 14 }, [
        "Every agent is a follower. dist is meant to be the distance to the nearest leader on the left, and each agent takes it from its left neighbour, plus one (line 2).",
        "Without a leader it grows and grows. The agent that counts to N = 12 knows that there is none, becomes a leader, raises a shield and fires a live bullet (lines 3\u20135).",
    ]),
    stop("Two leaders duel", "#p=prl&n=12&start=opposite&seed=2", { speed: 16 }, [
        "Each leader shoots to the right. A bullet-absence signal runs back from the next leader; when it arrives, the last bullet is gone and the leader may fire anew.",
        "If its next interaction is with its right neighbour it fires live and raises its shield (lines 6\u20138); if with its left one, it fires a dummy bullet and lowers it (lines 9\u201311). The scheduler tosses the coin.",
    ]),
    stop("Why a dummy bullet lowers the shield", "#p=prl&n=8&seed=1&c=0Ls!+1+2+3+0Ls!+1+2+3&show=rule", { arcs: [7, 4, 5, 6, 7] }, [
        "Two shielded leaders could shoot at each other for ever. So a leader pays for each shot with a coin: here u_0 meets its left neighbour first, fires a dummy bullet and lowers its shield.",
        "u_4 meets its right neighbour and fires live. Its bullet walks round to u_0, finds no shield, and one leader is left. u_4 could not be killed meanwhile: a leader that fires live is shielded.",
    ]),
    stop("A bullet that is not peaceful", "#p=prl&n=12&seed=3&c=0L+1+2+3+4+5+6+7+8+9B+10+11&show=proof", { arcs: [9, 10, 11], speed: 20 }, [
        "An adversary chose this start: a live bullet at u_9 though the only leader, u_0, has no shield. No leader fired it; it is not peaceful, and it kills the last leader.",
        "Nothing is lost. The followers count on, one of them reaches N, and the ring has a leader again. From then on every bullet is one that a leader fired: C_PB.",
    ]),
    stop("The paper\u2019s example: n = N = 100", "#p=prl&n=100&start=paper&seed=1&show=proof", { arcs: [49, 49] }, [
        "Section 4.1: u_0 and u_50 lead, every agent is secure, and the live bullet at u_49 is peaceful. One might think that no leader can be created any more.",
        "But let u_49 meet u_50 twice: the bullet kills u_50, and then u_50, a follower now, counts 99 + 1 = N and becomes a leader again. The bullet was not modest; that is why C_NI asks for modest bullets.",
    ]),
    stop("Break it, watch it heal", "#p=prl&n=40&start=safe&seed=5&do=600.fault.20", { speed: 240 }, [
        "A ring of 40 at rest in S_RL. After 600 steps half of the agents get random states: false leaders, stray bullets, wrong distances.",
        "Watch the timeline: false leaders are shot, counts settle, and S_RL is reached again. Corrupt it yourself as often as you like: click an agent and edit it.",
    ]),
    stop("S_RL, for ever", "#p=prl&n=32&start=safe&seed=11&show=proof", { speed: 400 }, [
        "One leader, every agent secure, every live bullet modest. The leader goes on shooting round the ring and being told so by signals, but no bullet can kill it and nobody will ever count to N.",
        "S_RL is closed: whatever the scheduler does, the leader stays. Leave it running.",
    ]),
    stop("Time-optimal, from both sides", "#p=prl&n=64&start=opposite&seed=3", { speed: 400 }, [
        "No protocol needs fewer than n(n \u2212 1)/16 expected steps in the worst case. Glue two halves that each look like a ring with its leader: both lead until news of the other has crossed a quarter of the ring.",
        `P_RL needs at most ${bound || "a constant times"} nN expected steps. So for N of the order of n it is optimal up to a constant. Both bounds are proved in Coq, for every n (docs/proof.md).`,
        "Here two leaders stand opposite each other. Press Play, and compare its last step with n\u00b2 = 4,096.",
    ]),
    stop("Every n", "#p=prl-oracle&n=40&start=random&seed=3&show=rule", { speed: 200 }, [
        "Up to five agents every configuration has been looked at, one by one: 61,917,364,224 of them for n = N = 5 (ringleader verify).",
        "For all sizes at once there are two ways. The paper\u2019s theorem is proved in Coq for every n and every N \u2265 n. And for protocols whose agents have a fixed number of states a program finds the proof itself, with automata that read the ring as a word (ringleader prove).",
        "This one, with an oracle instead of distances, is proved so: one automaton for all rings.",
    ]),
    stop("Real devices", "#p=prl&n=16&start=safe&seed=9&do=300.fault.16", { speed: 120 }, [
        "The nineteen lines also run outside of this page: as processes that send each other datagrams, and on microcontrollers with two serial lines. There is no scheduler then; clocks that ring at random take its place.",
        "Messages get lost or come twice, and devices lose their memory. Every meeting is written down by both sides, and the whole is replayed afterwards, step by step, on the program that you see here (ringleader ring, docs/devices.md).",
        "Here every agent lost its memory at step 300.",
    ]),
];

export const TOURS: { [key: string]: Tour } = {
    first: { name: "How it works", bySentence: true, stops: FIRST },
    paper: { name: "For readers of the paper", bySentence: false, stops: PAPER },
};
