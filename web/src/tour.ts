// SPDX-License-Identifier: MIT
//
// A guided tour: a card beside the ring, one stop after the other. What a stop does by itself ends
// as soon as the reader goes elsewhere: it goes on only from where it left the ring.
import { withIndices } from "./commentary";
import type { Machine } from "./machine";
import { TOURS, type Stop, type Tour } from "./tours";

const element = (id: string) => document.getElementById(id)!;
export interface Hands {
    open(fragment: string): void;
    meet(arc: number): void;
    play(speed: number): void;
    /** The place where the execution stands, as a link. */
    where(): string;
}

export class Guide {
    private tour: Tour = TOURS.first;
    private place = 0;
    /** How many sentences of the stop are there. */
    private said = 1;
    private timer = 0;
    private isDone = false;
    /** Milliseconds from one thing that a stop does to the next. */
    pause = 1300;

    constructor(private readonly hands: Hands) {
        for (const name of Object.keys(TOURS))
            element(`tour-${name}`).addEventListener("click", () => {
                this.tour = TOURS[name];
                this.go(0);
            });
        element("tour-next").addEventListener("click", () => this.next());
        element("tour-back").addEventListener("click", () => this.back());
        element("tour-again").addEventListener("click", () => this.begin());
        element("tour-show").addEventListener("click", () => this.showMe());
        element("tour-close").addEventListener("click", () => this.close());
    }

    get isOpen() { return !element("tour").hidden; }

    private get stop(): Stop { return this.tour.stops[this.place]; }

    close(): void {
        clearTimeout(this.timer);
        element("tour").hidden = true;
        document.querySelector("main")!.classList.remove("touring");
        element(this.tour === TOURS.first ? "tour-first" : "tour-paper").focus();
    }

    next(): void {
        if (this.said < this.stop.text.length) this.say(this.said + 1);
        else if (this.place + 1 < this.tour.stops.length) this.go(this.place + 1);
        else this.close();
    }

    back(): void {
        if (this.place > 0) this.go(this.place - 1);
    }

    private go(place: number): void {
        this.place = place;
        element("tour").hidden = false;
        document.querySelector("main")!.classList.add("touring");
        element("tour-place").textContent = `${this.tour.name}: ${place + 1} of ${this.tour.stops.length}`;
        element("tour-title").replaceChildren(...withIndices(this.stop.title));
        element("tour-back").toggleAttribute("disabled", place === 0);
        this.say(this.tour.bySentence ? 1 : this.stop.text.length);
        element("tour-title").focus({ preventScroll: true });
        scrollTo(0, 0);
        this.begin();
    }

    /** Shows the first so many sentences; the task comes with the last. */
    private say(count: number): void {
        const { stop } = this;
        this.said = count;
        element("tour-text").replaceChildren(...stop.text.slice(0, count).map((text, i) => {
            const paragraph = document.createElement("p");
            paragraph.className = this.tour.bySentence && i < count - 1 ? "said" : "";
            paragraph.append(...withIndices(text));
            return paragraph;
        }));
        const all = count === stop.text.length;
        const last = this.place + 1 === this.tour.stops.length;
        element("tour-next").textContent = !all ? "Go on" : last ? "Done" : "Next";
        element("tour-task").hidden = !all || !stop.task;
        element("tour-show").hidden = !all || !stop.task || stop.task.arcs.length === 0;
        element("tour-again").hidden = !all;
        if (stop.task) element("tour-ask").replaceChildren(...withIndices(stop.task.ask));
    }

    private begin(): void {
        this.open();
        this.act(this.stop.arcs ?? [], this.stop.speed ?? 0);
    }

    private showMe(): void {
        this.open();
        this.act(this.stop.task!.arcs, 0);
    }

    private open(): void {
        this.isDone = false;
        element("tour-task").classList.remove("done");
        this.hands.open(this.stop.view);
    }

    /** Interactions by hand, one after the other, and then on at that pace. */
    private act(arcs: number[], speed: number): void {
        clearTimeout(this.timer);
        if (arcs.length === 0 && speed === 0) return;
        const left = this.hands.where();
        this.timer = window.setTimeout(() => {
            if (this.hands.where() !== left) return;
            if (arcs.length > 0) {
                this.hands.meet(arcs[0]);
                this.act(arcs.slice(1), speed);
            } else this.hands.play(speed);
        }, this.pause);
    }

    /** Told after every change: has the reader done what was asked? */
    watch(machine: Machine, deeds: number): void {
        if (!this.isOpen || this.isDone || !this.stop.task?.done(machine, deeds)) return;
        this.isDone = true;
        element("tour-task").classList.add("done");
        element("status").textContent = "Done. Go on to the next stop.";
    }
}
