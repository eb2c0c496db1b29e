// SPDX-License-Identifier: MIT
//
// Why it works: how far the ring is from each of its closed sets. The protocol says what keeps it
// out, agent by agent; here it is counted and said in a sentence, and the ring shows where.
import { withIndices } from "./commentary";
import { grouped } from "./canvas";
import type { Machine } from "./machine";

/** Agents named one by one; of more only so many. */
const NAMED = 6;

export class Proof {
    private shown = "";

    constructor(private readonly place: HTMLElement, private readonly machine: Machine,
        private readonly choose: (agent: number) => void) {}

    show(): void {
        const { machine } = this;
        const flags = machine.obstacles();
        const where = machine.protocol.obstacles.map((_, k) => {
            const agents: number[] = [];
            flags.forEach((flag, i) => { if (flag & (1 << k)) agents.push(i); });
            return agents;
        });
        const key = machine.protocol.name + machine.protocol.sets.map((_, s) => machine.hit(s) >= 0) + where.map((agents) => `${agents.length}:${agents.slice(0, NAMED)}`).join("|");
        if (key === this.shown) return;
        this.shown = key;
        this.place.replaceChildren(...machine.protocol.sets.map((set, s) => this.section(set, s, where)));
        if (machine.protocol.obstacles.length === 0) this.place.append(this.note());
    }

    private note(): HTMLElement {
        const note = document.createElement("p");
        note.className = "hint";
        note.textContent = "This protocol does not say what is missing; its sets are tested as a whole.";
        return note;
    }

    private section(set: { name: string; meaning: string }, s: number, where: number[][]): HTMLElement {
        const { obstacles } = this.machine.protocol;
        const section = document.createElement("section");
        const inside = this.machine.hit(s) >= 0;
        section.className = inside ? "reached" : "";
        const head = document.createElement("h3");
        const dot = document.createElement("span");
        dot.className = "dot";
        const words = document.createElement("span");
        words.append(...withIndices(set.name), inside ? ": reached" : ": not yet");
        head.append(dot, words);
        const meaning = document.createElement("p");
        meaning.append(...withIndices(set.meaning));
        section.append(head, meaning);
        obstacles.forEach((obstacle, k) => {
            if (obstacle.set === s && where[k].length > 0) section.append(this.obstacle(obstacle, k, where[k]));
        });
        return section;
    }

    private obstacle(obstacle: { name: string; meaning: string }, k: number, agents: number[]): HTMLElement {
        const item = document.createElement("div");
        item.className = `obstacle o${k}`;
        const count = document.createElement("b");
        const all = agents.length === this.machine.n;
        count.textContent = all ? obstacle.name : `${grouped(agents.length)} ${obstacle.name}`;
        const meaning = document.createElement("span");
        meaning.append(": ", ...withIndices(obstacle.meaning), ". ");
        item.append(count, meaning);
        if (!all) item.append(...this.links(agents));
        return item;
    }

    private links(agents: number[]): Node[] {
        const nodes: Node[] = agents.slice(0, NAMED).map((agent) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "agent-link";
            button.append(...withIndices(`u_${agent}`));
            button.addEventListener("click", () => this.choose(agent));
            return button;
        });
        if (agents.length > NAMED) nodes.push(document.createTextNode(` and ${grouped(agents.length - NAMED)} more`));
        return nodes;
    }
}

/** The distance of each agent to its nearest left leader, d_L; -1 without a leader. */
export function distancesFromLeader(leads: (agent: number) => boolean, n: number): Int32Array {
    const distances = new Int32Array(n).fill(-1);
    let distance = -1;
    for (let i = 0; i < 2 * n; i++) { // twice round, so that the first agents find a leader behind them
        distance = leads(i % n) ? 0 : distance < 0 ? -1 : distance + 1;
        distances[i % n] = distance;
    }
    return distances;
}
