// SPDX-License-Identifier: MIT
//
// Why it works: how far the ring is from each of its closed sets. The protocol says what keeps it
// out, agent by agent. Here that is counted and put into a sentence, and the ring shows where.
import { grouped } from "./canvas";
import { make, makeButton } from "./dom";
import type { Machine, Named } from "./machine";

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
        return make("p", "hint", "This protocol does not say what is missing; its sets are checked as a whole.");
    }

    private section(set: Named, s: number, where: number[][]): HTMLElement {
        const inside = this.machine.hit(s) >= 0;
        const missing = this.machine.protocol.obstacles.map((obstacle, k) => ({ obstacle, k }))
            .filter(({ obstacle, k }) => obstacle.set === s && where[k].length > 0);
        return make("section", inside ? "reached" : "",
            make("h3", "", make("span", "dot"), make("span", "", set.name, inside ? ": reached" : ": not yet")),
            make("p", "", set.meaning), ...missing.map(({ obstacle, k }) => this.obstacle(obstacle, k, where[k])));
    }

    private obstacle({ name, meaning }: Named, k: number, agents: number[]): HTMLElement {
        const all = agents.length === this.machine.n, one = agents.length === 1;
        const count = all ? name : `${name}, at ${grouped(agents.length)} ${one ? "agent" : "agents"}`;
        return make("div", `obstacle o${k}`, make("b", "", count), `: ${meaning}. `, ...all ? [] : this.links(agents));
    }

    private links(agents: number[]): (Node | string)[] {
        const links = agents.slice(0, NAMED).map((agent) => makeButton(`u_${agent}`, () => this.choose(agent), "agent-link"));
        return agents.length > NAMED ? [...links, ` and ${grouped(agents.length - NAMED)} more`] : links;
    }
}
