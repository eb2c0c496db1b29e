// SPDX-License-Identifier: MIT
//
// The commentary: what happened, in words, the newest first, from the record of the execution. Every
// change of leaders is in it; what lies ahead of the present step is pale. A step can be pressed to
// go there. For Tab the whole list is one place; from there arrow keys go up and down.
import { grouped } from "./canvas";
import type { Landmark, Record } from "./record";

const BEHIND = 90, AHEAD = 12;

/** "u_12" and "S_RL" with proper indices, as nodes. */
export function withIndices(text: string): Node[] {
    return text.split(/(\b[uedCSP]_\w+)/).map((piece) => {
        const match = /^([uedCSP])_(\w+)$/.exec(piece);
        if (!match) return document.createTextNode(piece);
        const name = document.createElement("i");
        name.className = "name";
        const index = document.createElement("sub");
        index.textContent = match[2];
        name.append(match[1], index);
        return name;
    });
}

export class Commentary {
    private items = new Map<Landmark, HTMLLIElement>();
    private shown = "";

    constructor(private readonly list: HTMLElement, private readonly goTo: (step: number) => void) {
        list.addEventListener("keydown", (event) => {
            const item = (event.target as HTMLElement).closest("li")!;
            const next = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[event.key];
            next?.querySelector("button")?.focus();
            if (next) event.preventDefault();
        });
    }

    /** A flood must not be read aloud; single steps are. */
    setSpoken(spoken: boolean): void {
        this.list.parentElement!.setAttribute("aria-live", spoken ? "polite" : "off");
    }

    show(record: Record, now: number): void {
        const { landmarks, untold, edition } = record;
        const passed = landmarks.findLastIndex((landmark) => landmark.step <= now);
        const from = Math.max(0, passed - BEHIND), to = Math.min(landmarks.length, passed + 1 + AHEAD);
        const key = [edition, landmarks.length, from, passed, untold, landmarks[passed]?.step].join();
        if (key === this.shown) return;
        this.shown = key;
        const items = new Map<Landmark, HTMLLIElement>();
        for (let i = to; i-- > from;) {
            const item = this.items.get(landmarks[i]) ?? this.item(landmarks[i]);
            item.classList.toggle("ahead", i > passed);
            item.querySelector("button")!.tabIndex = i === passed ? 0 : -1;
            items.set(landmarks[i], item);
        }
        this.items = items;
        const rest: string[] = [];
        if (untold > 0) rest.push(`${grouped(untold)} later changes of leaders are not listed`);
        if (from > 0) rest.push(`${grouped(from)} earlier entries: go back in time to see them`);
        this.list.replaceChildren(...items.values(), ...rest.map((text) => {
            const item = document.createElement("li");
            item.className = "rest";
            item.textContent = text;
            return item;
        }));
    }

    private item(landmark: Landmark): HTMLLIElement {
        const item = document.createElement("li");
        item.classList.add(landmark.kind);
        const when = document.createElement("button");
        when.type = "button";
        when.className = "when";
        when.textContent = grouped(landmark.step);
        when.title = `Go to step ${grouped(landmark.step)}`;
        when.addEventListener("click", () => this.goTo(landmark.step));
        const what = document.createElement("div");
        what.append(...landmark.lines.map((line) => this.sentence(line)));
        item.append(when, what);
        return item;
    }

    private sentence(line: string): HTMLElement {
        const paragraph = document.createElement("p");
        const match = /^(.*): (lines? [\d-]+)$/.exec(line);
        paragraph.append(...withIndices(match ? match[1] : line));
        if (match) {
            const where = document.createElement("span");
            where.className = "lines";
            where.textContent = match[2].replace("-", "\u2013");
            paragraph.append(" ", where);
        }
        return paragraph;
    }
}
