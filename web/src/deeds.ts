// SPDX-License-Identifier: MIT
//
// How the run began and what you did to the ring, in words.
import { grouped } from "./canvas";
import type { Deed } from "./link";
import type { Machine, Request } from "./machine";

export function tellStart({ n, start, configuration, seed }: Request): string {
    const from = configuration === undefined ? `the start \u201c${start}\u201d` : "a configuration";
    return `${grouped(n)} agents, from ${from}, seed ${seed}`;
}

export function tellDeed(deed: Deed, machine: Machine): { label: string; line: string } {
    switch (deed.kind) {
        case "fault":
            return { label: "fault", line: `you gave ${grouped(deed.agents)} random ${deed.agents === 1 ? "agent a random state" : "agents random states"}` };
        case "set": {
            const { name } = machine.protocol.variables[deed.variable];
            return { label: "edit", line: `you set u_${deed.agent}.${name} to ${deed.value}` };
        }
        case "crown": return tellCrown(deed, machine.n);
        case "arc": {
            const [l, r] = machine.ends(deed.arc);
            return { label: "", line: `you let u_${l} meet u_${r}` };
        }
    }
}

function tellCrown(deed: Deed & { kind: "crown" }, n: number): { label: string; line: string } {
    const all = deed.from === 0 && deed.to === n;
    if (deed.leads) return { label: "crown", line: all ? "you made every agent a leader" : `you made u_${deed.from} a leader` };
    return all ? { label: "remove", line: "you removed all leaders" }
        : { label: "kill", line: `you made the leader u_${deed.from} a follower` };
}
