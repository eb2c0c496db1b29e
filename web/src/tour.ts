// SPDX-License-Identifier: MIT
//
// A guided tour: a card beside the ring, one stop after the other. What a stop does by itself ends
// as soon as the reader goes elsewhere: it goes on only from where it left the ring.
import { element, make, on, show, withIndices } from "./dom";
import type { Machine } from "./machine";
import { TOURS, type Stop, type Tour } from "./tours";

export interface Hands {
    open(fragment: string): void;
    meet(arc: number): void;
    play(speed: number): void;
    /** The place where the execution stands, as a link. */
    where(): string;
    /** The tour is over: everything is as it was before. */
    over(): void;
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
        for (const name of Object.keys(TOURS)) on(`tour-${name}`, () => this.start(TOURS[name]));
        on("tour-next", () => this.next());
        on("tour-back", () => this.back());
        on("tour-again", () => this.begin());
        on("tour-show", () => this.showMe());
        on("tour-close", () => this.close());
        addEventListener("popstate", () => this.leave());
    }

    get isOpen() { return !element("tour").hidden; }

    private get stop(): Stop { return this.tour.stops[this.place]; }

    /** A tour is an entry of the browser's history: what was there before comes back with it, by the
     *  browser's Back as by any other way to end the tour. */
    private start(tour: Tour): void {
        if (!this.isOpen) history.pushState(null, "");
        this.tour = tour;
        this.go(0);
    }

    close(): void { history.back(); }

    private leave(): void {
        if (!this.isOpen) return;
        clearTimeout(this.timer);
        element("tour").hidden = true;
        const main = document.querySelector("main")!;
        main.classList.remove("touring");
        delete main.dataset.shows;
        this.hands.over();
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
        const main = document.querySelector("main")!;
        main.classList.add("touring");
        main.dataset.shows = this.stop.shows ?? "all";
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
        element("tour-text").replaceChildren(...stop.text.slice(0, count).map((text, i) =>
            make("p", this.tour.bySentence && i < count - 1 ? "said" : "", text)));
        const all = count === stop.text.length;
        const last = this.place + 1 === this.tour.stops.length;
        element("tour-next").textContent = !all ? "Read on" : last ? "Done" : "Next";
        element("tour-task").hidden = !all || !stop.task;
        element("tour-show").hidden = !all || !stop.task;
        element("tour-again").hidden = !all;
        if (stop.task && !this.isDone) show("tour-ask", stop.task.ask);
    }

    private begin(): void {
        this.open();
        this.act(this.stop.arcs ?? [], this.stop.speed ?? 0);
    }

    private showMe(): void {
        const { arcs, press } = this.stop.task!;
        if (press) return element(press).click();
        this.open();
        this.act(arcs ?? [], 0);
    }

    private open(): void {
        this.isDone = false;
        element("tour-task").classList.remove("done");
        element("tour-next").classList.remove("calling");
        element("tour-show").hidden = !this.stop.task || this.said < this.stop.text.length;
        if (this.stop.task) show("tour-ask", this.stop.task.ask);
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
        show("tour-ask", this.stop.task.praise);
        element("tour-show").hidden = true;
        element("tour-next").classList.add("calling");
        element("status").textContent = this.stop.task.praise;
    }
}
