// SPDX-License-Identifier: MIT
//
// The commentary: what just happened, in words, the newest first. While the ring runs fast only
// what changes the set of leaders is told.
import { grouped } from "./canvas";

export type Kind = "start" | "event" | "null" | "hit" | "deed";

const MOST = 80;

/** "u_12" with a proper index, as nodes. */
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
    constructor(private readonly list: HTMLElement) {}

    begin(): void {
        this.list.replaceChildren();
    }

    /** A flood must not be read aloud; single steps are. */
    setSpoken(spoken: boolean): void {
        this.list.parentElement!.setAttribute("aria-live", spoken ? "polite" : "off");
    }

    add(step: number, lines: string[], kind: Kind): void {
        if (lines.length === 0) return;
        const item = document.createElement("li");
        item.className = kind;
        const when = document.createElement("span");
        when.className = "when";
        when.textContent = grouped(step);
        const what = document.createElement("div");
        what.append(...lines.map((line) => this.sentence(line)));
        item.append(when, what);
        /* Of several steps in a row that changed nothing the last is enough. */
        if (kind === "null" && this.list.firstElementChild?.className === "null")
            this.list.firstElementChild.remove();
        this.list.prepend(item);
        while (this.list.childElementCount > MOST) this.list.lastElementChild!.remove();
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
