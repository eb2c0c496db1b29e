// SPDX-License-Identifier: MIT
//
// A view as a link: the fragment of the address holds what the execution is a function of, what was
// done to it and at which step it stands.
//
//     #p=prl&n=50&N=60&start=random&seed=7&do=120.fault.3_140.set.12.2.1_150.arc.7&at=1000
import { requestItems, type Protocol, type Request } from "./machine";

/** Something done to the ring after `step` interactions. */
export type Deed = { step: number } & (
    | { kind: "fault"; agents: number }
    | { kind: "set"; agent: number; variable: number; value: number }
    | { kind: "crown"; from: number; to: number; leads: boolean }
    | { kind: "arc"; arc: number }
);

export interface View {
    request: Request;
    deeds: Deed[];
    at: number;
}

function writeDeed(deed: Deed): string {
    switch (deed.kind) {
        case "fault": return `${deed.step}.fault.${deed.agents}`;
        case "set": return `${deed.step}.set.${deed.agent}.${deed.variable}.${deed.value}`;
        case "crown": return `${deed.step}.${deed.leads ? "crown" : "depose"}.${deed.from}.${deed.to}`;
        case "arc": return `${deed.step}.arc.${deed.arc}`;
    }
}

function readDeed(text: string): Deed | null {
    const [first, kind, ...rest] = text.split(".");
    const step = Number(first);
    const [a, b, c] = rest.map(Number);
    if (![step, ...rest.map(Number)].every((x) => Number.isSafeInteger(x) && x >= 0)) return null;
    if (kind === "fault" && rest.length === 1) return { step, kind, agents: a };
    if (kind === "set" && rest.length === 3) return { step, kind, agent: a, variable: b, value: c };
    if ((kind === "crown" || kind === "depose") && rest.length === 2)
        return { step, kind: "crown", from: a, to: b, leads: kind === "crown" };
    if (kind === "arc" && rest.length === 1) return { step, kind, arc: a };
    return null;
}

export function writeView(view: View): string {
    const { request, deeds, at } = view;
    const items = new URLSearchParams(requestItems(request));
    if (request.trial === 0n) items.delete("trial");
    if (request.configuration !== undefined) items.set("c", request.configuration);
    if (request.engine !== "event") items.set("engine", request.engine);
    if (deeds.length > 0) items.set("do", deeds.map(writeDeed).join("_"));
    if (at > 0) items.set("at", String(at));
    return "#" + items.toString();
}

function readCount(text: string | null, otherwise: bigint): bigint {
    return text !== null && /^\d{1,20}$/.test(text) ? BigInt(text) : otherwise;
}

/** What a fragment says; what it leaves out is as in `defaults`. */
export function readView(fragment: string, protocols: Protocol[], defaults: Request): View | null {
    const items = new URLSearchParams(fragment.replace(/^#/, ""));
    if (!items.has("p") && !items.has("n")) return null;
    const protocol = protocols.find((p) => p.name === (items.get("p") ?? defaults.protocol));
    if (!protocol) return null;
    const parameters: Record<string, string> = {};
    for (const { name, choices } of protocol.parameters) {
        const value = items.get(name);
        // Links of 0.1.0 have the number of a choice.
        if (value !== null) parameters[name] = choices[Number(value)] ?? value;
    }
    const request: Request = {
        protocol: protocol.name,
        n: Number(readCount(items.get("n"), BigInt(defaults.n))),
        parameters,
        start: items.get("start") ?? "random",
        configuration: items.get("c") ?? undefined,
        seed: readCount(items.get("seed"), defaults.seed),
        trial: readCount(items.get("trial"), 0n),
        engine: items.get("engine") === "step" ? "step" : "event",
    };
    const deeds = (items.get("do") ?? "").split("_").map(readDeed).filter((deed) => deed !== null);
    return { request, deeds, at: Number(readCount(items.get("at"), 0n)) };
}
