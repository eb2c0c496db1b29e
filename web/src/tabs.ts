// SPDX-License-Identifier: MIT
//
// Three ways to be told: what happened, the rule at work, why it works. One is open.
import { element, on } from "./dom";

export const TABS = ["log", "rule", "proof"] as const;
export type Tab = (typeof TABS)[number];

export class Tabs {
    open: Tab = "log";

    constructor(private readonly changed: () => void) {
        for (const tab of TABS) on(`tab-${tab}`, () => this.show(tab));
        element("tab-log").parentElement!.addEventListener("keydown", (event) => {
            const way = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
            if (way === undefined) return;
            this.show(TABS[(TABS.indexOf(this.open) + way) % TABS.length]);
            element(`tab-${this.open}`).focus();
            event.preventDefault();
        });
    }

    show(wanted: Tab): void {
        this.open = wanted;
        for (const tab of TABS) {
            element(tab).hidden = tab !== wanted;
            element(`tab-${tab}`).setAttribute("aria-selected", String(tab === wanted));
            element(`tab-${tab}`).tabIndex = tab === wanted ? 0 : -1;
        }
        this.changed();
    }
}
