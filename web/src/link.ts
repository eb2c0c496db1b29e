// SPDX-License-Identifier: MIT
//
// A view as a link: the fragment of the address holds what the execution is a function of, what was
// done to it and at which step it stands.
//
//     #p=prl&n=50&N=60&start=random&seed=7&do=120.fault.3_140.set.12.2.1_150.arc.7&at=1000
import { requestItems, type Protocol, type Request } from "./machine";
import type { Rival } from "./compare";
import { TABS, type Tab } from "./tabs";
import { readAgents, readSeed } from "./setup";

/** Something done to the ring after `step` interactions. */
export type Deed = { step: number } & (
    | { kind: "fault"; agents: number }
    | { kind: "set"; agent: number; variable: number; value: number }
    | { kind: "crown"; from: number; to: number; leads: boolean }
    | { kind: "arc"; arc: number }
);

/** What a link may hold besides parameters. */
const WORDS = ["p", "n", "c", "start", "seed", "trial", "engine", "do", "at", "show", "beside"];

export interface View {
    request: Request;
    deeds: Deed[];
    at: number;
    /** What is told beside the ring. */
    show?: Tab;
    /** A second ring beside it. */
    beside?: Rival;
}

export function writeDeed(deed: Deed): string {
    switch (deed.kind) {
        case "fault": return `${deed.step}.fault.${deed.agents}`;
        case "set": return `${deed.step}.set.${deed.agent}.${deed.variable}.${deed.value}`;
        case "crown": return `${deed.step}.${deed.leads ? "crown" : "depose"}.${deed.from}.${deed.to}`;
        case "arc": return `${deed.step}.arc.${deed.arc}`;
    }
}

function readDeed(text: string): Deed {
    const [first, kind, ...rest] = text.split(".");
    const [step, a, b, c] = [first, ...rest].map((word) => /^\d{1,15}$/.test(word) ? Number(word) : NaN);
    if ([step, a, b, c].slice(0, rest.length + 1).some(Number.isNaN)) throw new Error(`\u201c${text}\u201d: steps and agents are whole numbers`);
    if (kind === "fault" && rest.length === 1) return { step, kind, agents: a };
    if (kind === "set" && rest.length === 3) return { step, kind, agent: a, variable: b, value: c };
    if ((kind === "crown" || kind === "depose") && rest.length === 2)
        return { step, kind: "crown", from: a, to: b, leads: kind === "crown" };
    if (kind === "arc" && rest.length === 1) return { step, kind, arc: a };
    throw new Error(`\u201c${text}\u201d cannot be done to a ring`);
}

function readStep(text: string): number {
    if (!/^\d{1,15}$/.test(text)) throw new Error(`\u201c${text}\u201d is not a whole number`);
    return Number(text);
}

export function writeView(view: View): string {
    const { request, deeds, at } = view;
    const items = new URLSearchParams(requestItems(request));
    if (request.trial === 0n) items.delete("trial");
    if (request.configuration !== undefined) items.set("c", request.configuration);
    if (request.engine !== "event") items.set("engine", request.engine);
    if (deeds.length > 0) items.set("do", deeds.map(writeDeed).join("_"));
    if (at > 0) items.set("at", String(at));
    if (view.show && view.show !== "log") items.set("show", view.show);
    if (view.beside) items.set("beside", `${view.beside.protocol}.${view.beside.start}`);
    return "#" + items.toString();
}

/** What a fragment says; what it leaves out is as in `defaults`. Throws, with what is wrong. */
export function readView(fragment: string, protocols: Protocol[], defaults: Request): View {
    const items = new URLSearchParams(fragment.replace(/^#/, ""));
    const name = items.get("p") ?? defaults.protocol;
    const protocol = protocols.find((p) => p.name === name);
    if (!protocol) throw new Error(`there is no protocol called \u201c${name}\u201d`);
    const read = <T>(key: string, reader: (text: string) => T, otherwise: T): T => {
        try {
            return items.has(key) ? reader(items.get(key)!) : otherwise;
        } catch (problem) {
            throw new Error(`${key}=${items.get(key)}: ${(problem as Error).message}`);
        }
    };
    const parameters: Record<string, string> = {};
    for (const { name } of protocol.parameters) {
        const value = items.get(name);
        if (value !== null) parameters[name] = value;
    }
    const known = [...protocol.parameters.map((p) => p.name), ...WORDS];
    for (const key of items.keys())
        if (!known.includes(key)) throw new Error(`\u201c${key}\u201d means nothing to ${protocol.name}`);
    const request: Request = {
        protocol: protocol.name,
        n: read("n", readAgents, defaults.n),
        parameters,
        start: items.get("start") ?? "random",
        configuration: items.get("c") ?? undefined,
        seed: read("seed", readSeed, defaults.seed),
        trial: read("trial", readSeed, 0n),
        engine: read("engine", readEngine, "event"),
    };
    const deeds = read("do", (text) => text.split("_").filter((deed) => deed !== "").map(readDeed), []);
    return { request, deeds, at: read("at", readStep, 0), show: read("show", readTab, "log"),
        beside: read("beside", (text) => readRival(text, protocols), undefined) };
}

function readTab(text: string): Tab {
    const tab = TABS.find((name) => name === text);
    if (!tab) throw new Error(`a tab is one of ${TABS.join(", ")}, not \u201c${text}\u201d`);
    return tab;
}

function readRival(text: string, protocols: Protocol[]): Rival | undefined {
    const [protocol, start] = text.split(".");
    const found = protocols.find((p) => p.name === protocol);
    if (!found?.starts.some((s) => s.name === start))
        throw new Error(`the second ring is a protocol and one of its starts, such as fj06.random, not \u201c${text}\u201d`);
    return { protocol, start };
}

function readEngine(text: string): "event" | "step" {
    if (text !== "event" && text !== "step") throw new Error(`an engine is event or step, not \u201c${text}\u201d`);
    return text;
}
