// SPDX-License-Identifier: MIT
//
// The commentary: what happened, in words, newest first, from the record of the execution. It has
// every change of leaders; what lies ahead of the current step is pale. Press a step to go there. Tab
// treats the whole list as one place; from there the arrow keys go up and down.
import { grouped } from "./canvas";
import { make, makeButton } from "./dom";
import type { Landmark, Record } from "./record";

const BEHIND = 60, AHEAD = 12;

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
        if (from > 0) rest.push(`${grouped(from)} earlier entries; go back in time to see them`);
        this.arrange([...items.values(), ...rest.map((text) => make("li", "rest", text))]);
    }

    /** What is there already stays where it is: it needs no new layout. */
    private arrange(wanted: HTMLElement[]): void {
        let at = this.list.firstChild;
        for (const item of wanted) {
            if (item === at) at = at.nextSibling;
            else this.list.insertBefore(item, at);
        }
        while (at) [at] = [at.nextSibling, at.remove()];
    }

    private item({ step, kind, lines }: Landmark): HTMLLIElement {
        const when = makeButton(grouped(step), () => this.goTo(step), "when");
        when.title = `Go to step ${grouped(step)}`;
        return make("li", kind, when, make("div", "", ...lines.map((line) => this.sentence(line))));
    }

    private sentence(line: string): HTMLElement {
        const [, words, where] = /^(.*): (lines? [\d-]+)$/.exec(line) ?? [];
        return words ? make("p", "", words, " ", make("span", "lines", where.replace("-", "\u2013"))) : make("p", "", line);
    }
}
