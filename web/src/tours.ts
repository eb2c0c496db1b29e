// SPDX-License-Identifier: MIT
//
// The two guided tours, as data. The first assumes nothing and gives the reader things to do; the
// second is for readers of the paper. A stop has a link like any other, some sentences, and what
// happens there: interactions by hand that show the point, a speed to continue at, or a task.
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
        "Each disc is an agent: a device with a few bytes of memory. The agents form a ring. Clockwise is to the right.",
        "An agent has no name and sees only its two neighbours. The numbers outside the ring are for you; the agents do not know them.",
    ]),
    stop("You are the scheduler", "#p=prl&n=8&start=leaderless&seed=1", { shows: "ring" }, [
        "Only one kind of thing ever happens: two neighbours meet. Each looks at the other\u2019s memory and changes its own by a fixed rule.",
        "Chance decides who meets next: something outside the ring, the scheduler, draws one pair after another.",
    ], {
        ask: "Be the scheduler: click the line between two discs, three times. (Or press Step and let chance decide.)",
        done: (machine) => machine.step >= 3, arcs: [0, 1, 2], praise: "Three meetings. That is all a scheduler does.",
    }),
    stop("What they should agree on", "#p=prl&n=8&seed=1&c=0Ls+1+2+3+4+5+6+7", { shows: "ring" }, [
        "In the end exactly one agent should wear a crown, and keep it forever. It is the leader.",
        "With names this would be easy: the smallest name wins. Without names all agents are alike, and only chance can make a difference.",
    ]),
    stop("From any state at all", "#p=prl&n=12&start=safe&seed=5", { shows: "break" }, [
        "Now the hard part. At the beginning, memory may hold anything: no leader, ten leaders, bullets that nobody fired.",
        "Even a ring that has its leader may be hit by a fault. It must recover by itself, every time. This is called self-stabilizing.",
    ], {
        ask: "Press Corrupt (or Crown everyone) to see what a fault leaves behind.",
        done: (_machine, deeds) => deeds > 0, press: "corrupt", praise: "Broken. Press Play if you want to see it heal.",
    }),
    stop("Too many leaders: bullets", "#p=prl&n=8&seed=1&c=0L+1+2+3+0Ls+1+2B+3", { shows: "ring" }, [
        "Leaders remove each other. A leader fires a bullet to its right, clockwise. With each meeting the bullet moves on by one agent.",
        "A solid bullet is live: it takes the crown of the first leader it reaches, unless that leader has a shield, the blue ring around it.",
    ], {
        ask: "Make u_0 lose: move the bullet to it. Click the line to the right of the bullet, again and again.",
        done: (machine) => !leads(machine, 0), arcs: [6, 7], praise: "u_0 had no shield, so it lost its crown.",
    }),
    stop("A shield for every shot", "#p=prl&n=8&seed=1&c=0Ls!+1+2+3+0Ls!+1+2+3", { shows: "ring" }, [
        "Why does the last leader not shoot itself? Because a leader that fires a live bullet raises its shield, and keeps it up until that bullet has arrived.",
        "Why don\u2019t all leaders hide behind shields? Because chance decides. A leader that meets its right neighbour first fires a live bullet and raises its shield. If it meets its left neighbour first, it fires a dummy, a hollow bullet that harms nobody, and lowers its shield.",
    ], {
        ask: "Both leaders are about to fire. Make u_0 lose again: give it bad luck (let u_7 meet u_0), and give u_4 good luck (let u_4 meet u_5).",
        done: (machine) => !leads(machine, 0), arcs: [7, 4, 5, 6, 7], praise: "One leader is left, chosen by chance.",
    }),
    stop("When to fire again", "#p=prl&n=12&start=opposite&seed=2", { speed: 10, shows: "ring" }, [
        "A leader waits until its last bullet has arrived. How does it know? The next leader sends back a signal, a green hook that runs to the left.",
        "If the signal meets a bullet, the signal disappears. So when a signal reaches a leader, none of its own bullets is still flying, and it may fire.",
    ]),
    stop("No leader at all: counting", "#p=prl&n=8&start=leaderless&seed=4", { shows: "ring" }, [
        "Without a leader nobody shoots, and nothing would ever change. So every agent keeps a number: how far it thinks the next leader to its left is.",
        "It takes its left neighbour\u2019s number plus one. A leader has 0, so with a leader the numbers stay small. Without one they keep growing.",
        "All agents know a number N that is at least the number of agents. An agent that has counted to N has counted all the way around the ring without meeting a leader, so it becomes one.",
    ], {
        ask: "Press Play, or be a patient scheduler, until somebody is crowned.",
        done: (machine) => leaders(machine) > 0, press: "play", praise: "Somebody counted to N, and there is a leader again.",
    }),
    stop("Now all of it", "#p=prl&n=32&start=random&seed=7", {}, [
        "Thirty-two agents with random memory. Press Play, or \u201cRun to the end\u201d: false leaders fall, numbers settle, one leader is left.",
        "S_RL means that the election is over: there is one leader, and nothing in any agent\u2019s memory can remove it or crown another. From then on it stays that way, whatever the scheduler does.",
    ], {
        ask: "Bring the ring to S_RL. Then drag along the timeline to see how it got there.",
        done: (machine) => machine.hit(machine.protocol.target) >= 0, press: "run-to", praise: "One leader, forever. Drag along the timeline to see how it got there.",
    }),
    stop("Your ring", "#p=prl&n=24&start=safe&seed=11", { speed: 60 }, [
        "Break it as you like; it will heal. \u201cWhy it works\u201d shows what is still missing. \u201cThe rule\u201d shows the nineteen lines that every agent runs.",
        "The second tour explains the same for readers of the paper.",
    ]),
];

const PAPER: Stop[] = [
    stop("No leader: the count to N", "#p=prl&n=12&start=leaderless&seed=4", { speed: 14 }, [
        "Every agent is a follower. dist should be the distance to the nearest leader on the left: each agent takes its left neighbour\u2019s dist plus one (line 2).",
        "Without a leader it keeps growing. An agent that counts to N = 12 knows that there is no leader. It becomes one, raises a shield and fires a live bullet (lines 3\u20135).",
    ]),
    stop("Two leaders duel", "#p=prl&n=12&start=opposite&seed=2", { speed: 16 }, [
        "Each leader shoots to the right. A bullet-absence signal runs back from the next leader. When it arrives, the last bullet is gone and the leader may fire again.",
        "If its next interaction is with its right neighbour, it fires a live bullet and raises its shield (lines 6\u20138). If it is with its left neighbour, it fires a dummy bullet and lowers its shield (lines 9\u201311). The scheduler tosses the coin.",
    ]),
    stop("Why a dummy bullet lowers the shield", "#p=prl&n=8&seed=1&c=0Ls!+1+2+3+0Ls!+1+2+3&show=rule", { arcs: [7, 4, 5, 6, 7] }, [
        "Two shielded leaders could shoot at each other forever. So each shot is a coin toss: here u_0 meets its left neighbour first, fires a dummy bullet and lowers its shield.",
        "u_4 meets its right neighbour and fires a live bullet. The bullet travels to u_0, finds no shield, and one leader is left. u_4 could not be killed meanwhile: a leader that fires a live bullet is shielded.",
    ]),
    stop("A bullet that is not peaceful", "#p=prl&n=12&seed=3&c=0L+1+2+3+4+5+6+7+8+9B+10+11&show=proof", { arcs: [9, 10, 11], speed: 20 }, [
        "An adversary chose this start: a live bullet at u_9, although the only leader, u_0, has no shield. No leader fired it. It is not peaceful, and it kills the last leader.",
        "Nothing is lost. The followers keep counting, one of them reaches N, and the ring has a leader again. From then on every bullet was fired by a leader: C_PB.",
    ]),
    stop("The paper\u2019s example: n = N = 100", "#p=prl&n=100&start=paper&seed=1&show=proof", { arcs: [49, 49] }, [
        "Section 4.1: u_0 and u_50 lead, every agent is secure, and the live bullet at u_49 is peaceful. You might think that no new leader can appear.",
        "But let u_49 meet u_50 twice: the bullet kills u_50, and then u_50, now a follower, counts 99 + 1 = N and becomes a leader again. The bullet was not modest; that is why C_NI requires modest bullets.",
    ]),
    stop("Break it, watch it heal", "#p=prl&n=40&start=safe&seed=5&do=600.fault.20", { speed: 240 }, [
        "A ring of 40 agents in S_RL. After 600 steps half of the agents get random states: false leaders, stray bullets, wrong distances.",
        "Watch the timeline: false leaders are shot, counts settle, and the ring reaches S_RL again. You can corrupt it too, as often as you like: click an agent and edit it.",
    ]),
    stop("S_RL, forever", "#p=prl&n=32&start=safe&seed=11&show=proof", { speed: 400 }, [
        "One leader, every agent secure, every live bullet modest. The leader keeps firing bullets around the ring, and signals keep coming back, but no bullet can kill it and no agent will ever count to N.",
        "S_RL is closed: whatever the scheduler does, the leader stays. Leave it running.",
    ]),
    stop("Time-optimal, from both sides", "#p=prl&n=64&start=opposite&seed=3", { speed: 400 }, [
        "Every protocol needs at least n(n \u2212 1)/16 expected steps in the worst case. Glue together two halves that each look like a ring with its leader: both lead until news of the other has crossed a quarter of the ring.",
        `P_RL needs at most ${bound || "a constant times"} nN expected steps. So if N is of the order of n, it is optimal up to a constant. Both bounds are proved in Coq, for every n (docs/proof.md).`,
        "Here two leaders are opposite each other. Press Play, and compare the last step with n\u00b2 = 4,096.",
    ]),
    stop("Every n", "#p=prl-oracle&n=40&start=random&seed=3&show=rule", { speed: 200 }, [
        "Up to five agents, every configuration has been checked, one by one: 61,917,364,224 of them for n = N = 5 (ringleader verify).",
        "For all sizes at once there are two ways. The paper\u2019s theorem is proved in Coq for every n and every N \u2265 n. And if the agents of a protocol have a fixed number of states, a program can find a proof by itself, with automata that read the ring as a word (ringleader prove).",
        "The protocol here, with an oracle instead of distances, is proved that way: one automaton for all rings.",
    ]),
    stop("Real devices", "#p=prl&n=16&start=safe&seed=9&do=300.fault.16", { speed: 120 }, [
        "The nineteen lines also run outside this page: as processes that send each other datagrams, and on microcontrollers with two serial lines. There is no scheduler then. Clocks that ring at random take its place.",
        "Messages get lost or arrive twice, and devices lose their memory. Both sides record every meeting. Afterwards the whole run is replayed, step by step, by the program you see here (ringleader ring, docs/devices.md).",
        "Here every agent lost its memory at step 300.",
    ]),
];

export const TOURS: { [key: string]: Tour } = {
    first: { name: "How it works", bySentence: true, stops: FIRST },
    paper: { name: "For readers of the paper", bySentence: false, stops: PAPER },
};
