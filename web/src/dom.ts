// SPDX-License-Identifier: MIT
//
// Elements, found and made.

export const element = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

/** "u_12" and "S_RL" with proper indices, as nodes. */
export function withIndices(text: string): Node[] {
    return text.split(/(\b[uedCSP]_\w+)/).map((piece, i) => {
        if (i % 2 === 0) return document.createTextNode(piece);
        const name = document.createElement("i"), index = document.createElement("sub");
        name.className = "name";
        index.textContent = piece.slice(2);
        name.append(piece[0], index);
        return name;
    });
}

/** A new element of a class, and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, kind = "", ...inside: (string | Node)[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    made.append(...inside.flatMap((part) => typeof part === "string" ? withIndices(part) : [part]));
    return made;
}

export function makeButton(words: string, action: () => void, kind = ""): HTMLButtonElement {
    const button = make("button", kind, words);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
}

/** Sets a text if it is another one: a text that stays needs no layout. */
export function show(id: string, text: string): void {
    const place = element(id);
    if (place.textContent !== text.replaceAll("_", "")) place.replaceChildren(...withIndices(text));
}

export const on = (id: string, action: () => void) => element(id).addEventListener("click", action);
