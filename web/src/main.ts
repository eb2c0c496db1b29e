// SPDX-License-Identifier: MIT
//
// The page: puts the parts together. Views draw only when something has changed or moves.
import "./style.css";
import { grouped, short } from "./canvas";
import { Commentary, withIndices } from "./commentary";
import { Execution, type Wish } from "./execution";
import { Inspector } from "./inspector";
import { buildLegend } from "./legend";
import { readView, writeView, type View } from "./link";
import { Machine, type Request } from "./machine";
import { Player } from "./play";
import { RingView } from "./ring";
import { Setup } from "./setup";
import { SpaceTime } from "./spacetime";
import { wantsStillness, watchTheme } from "./theme";
import { Timeline } from "./timeline";
import { Tour } from "./tour";

const element = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const HAND_MS = 420;
const DEFAULT: Request = {
    protocol: "", n: 32, parameters: {}, start: "random", seed: 7n, trial: 0n, engine: "event",
};

class Page {
    private readonly execution: Execution;
    private readonly ring: RingView;
    private readonly timeline: Timeline;
    private readonly spacetime: SpaceTime;
    private readonly commentary = new Commentary(element("commentary"));
    private readonly inspector: Inspector;
    private readonly setup: Setup;
    private readonly player: Player;
    private readonly defaults: Request;
    private stale = true;
    private hits: number[] = [];
    private hitsShown = "";

    constructor(private readonly machine: Machine, scratch: Machine) {
        this.defaults = { ...DEFAULT, protocol: machine.protocols[0].name };
        this.execution = new Execution(machine, scratch, this.defaults);
        this.ring = new RingView(element<HTMLCanvasElement>("ring"), machine);
        this.timeline = new Timeline(element<HTMLCanvasElement>("timeline"), element("series"),
            element("timeline-readout"), () => this.refresh());
        this.spacetime = new SpaceTime(element<HTMLCanvasElement>("spacetime"), machine);
        this.inspector = new Inspector(machine, {
            set: (agent, variable, value) => this.edit(agent, variable, value),
            meet: (arc) => this.meet(arc),
            choose: (agent) => this.choose(agent),
        });
        this.setup = new Setup(machine, (request) => void this.open({ request, deeds: [], at: 0 }));
        this.player = new Player(this.execution, {
            flash: (flash) => this.ring.flash(flash),
            told: (step, lines, isNull) => this.commentary.add(step, lines, isNull ? "null" : "event"),
            moved: () => this.moved(),
            nextRow: () => this.spacetime.nextRow,
            pace: (steps) => this.spacetime.follow(steps),
            stopped: (why) => this.stopped(why),
        }, wantsStillness);
        this.wireControls();
        this.wireRing();
        this.wireKeys();
        this.wireLinks();
        watchTheme(element<HTMLButtonElement>("theme"), () => this.restyle());
        new ResizeObserver(() => this.refresh()).observe(element("ring"));
        new ResizeObserver(() => this.refresh()).observe(element("timeline"));
        requestAnimationFrame((now) => this.frame(now));
    }

    // ---- executions --------------------------------------------------------------------------

    /** Opens a view; what is wrong with it is said at the form and the old one stays. */
    private open(view: View): boolean {
        this.player.pause();
        try {
            if (view.request.n > 20000) throw new Error("this page takes up to 20,000 agents; the command line takes 2^26");
            this.execution.open(view);
        } catch (problem) {
            this.setup.complain((problem as Error).message);
            return false;
        }
        this.begin();
        this.player.goTo(view.at);
        for (const deed of this.execution.done)
            if (deed.kind !== "arc")
                this.timeline.mark({ step: deed.step, label: "fault", kind: "fault" });
        this.relink();
        return true;
    }

    private begin(): void {
        const { protocol, n } = this.machine;
        this.hits = protocol.sets.map(() => -1);
        this.ring.clearFlashes();
        this.commentary.begin();
        this.timeline.begin(protocol.gauges);
        this.spacetime.begin();
        this.setup.show(this.execution.request);
        buildLegend(element("legend"), protocol);
        element("subtitle").replaceChildren(...withIndices(protocol.title));
        element("run-to").replaceChildren("Run to ", ...withIndices(protocol.sets[protocol.target].name));
        document.body.classList.toggle("band", this.ring.isBand);
        element<HTMLInputElement>("corrupt-count").max = String(n);
        if (this.ring.selected >= n) this.choose(-1);
        const { start, configuration, seed } = this.execution.request;
        const from = configuration === undefined ? `the start \u201c${start}\u201d` : "a configuration";
        this.commentary.add(0, [`${n} agents, from ${from}, seed ${seed}`], "start");
        this.moved();
    }

    private restart(): void {
        const wasPlaying = this.player.playing;
        this.open({ request: this.execution.request, deeds: [], at: 0 });
        if (wasPlaying) this.play();
    }

    // ---- what happens ------------------------------------------------------------------------

    private moved(): void {
        this.spacetime.tick();
        this.timeline.add(this.machine.step, this.machine.gauges());
        this.noteHits();
        this.stale = true;
    }

    private noteHits(): void {
        this.machine.protocol.sets.forEach((set, i) => {
            const hit = this.machine.hit(i);
            if (hit >= 0 && hit !== this.hits[i]) {
                this.timeline.mark({ step: hit, label: set.name, kind: "hit" });
                this.spacetime.tick(set.name);
                this.commentary.add(hit, [`in ${set.name} now: ${set.meaning}`], "hit");
            }
            this.hits[i] = hit;
        });
    }

    /** Something done to the ring, with its name and what to tell. */
    private disturb(wish: Wish, label: string, told: string): void {
        this.execution.do(wish);
        this.ring.clearFlashes();
        this.timeline.add(this.machine.step, this.machine.gauges());
        this.timeline.mark({ step: this.machine.step, label, kind: "fault" });
        this.spacetime.tick(label);
        this.commentary.add(this.machine.step, [told], "deed");
        this.hits = this.hits.map(() => -1);
        this.moved();
        this.inspector.update();
        this.relink();
    }

    private edit(agent: number, variable: number, value: number): void {
        const name = this.machine.protocol.variables[variable].name;
        this.disturb({ kind: "set", agent, variable, value }, "edit",
            `you set u_${agent}.${name} to ${value}`);
    }

    private meet(arc: number): void {
        this.player.pause();
        this.player.byHand(arc, HAND_MS);
        this.inspector.update();
        this.relink();
    }

    private stopped(why: "asked" | "goal" | "silent"): void {
        const { machine } = this;
        this.showPlaying();
        this.relink();
        this.stale = true;
        const place = `at step ${grouped(machine.step)}`;
        if (why === "silent") this.toast(`Nothing can change any more, ${place}`);
        if (why === "goal") this.toast(`${machine.protocol.sets[machine.protocol.target].name} ${place}`);
        element("status").textContent = `Paused ${place}, ${this.leaderWords()}`;
    }

    private leaderWords(): string {
        const count = this.machine.gauges()[0];
        return `${grouped(count)} ${count === 1 ? "leader" : "leaders"}`;
    }

    // ---- controls ----------------------------------------------------------------------------

    private play(): void {
        this.player.play();
        this.showPlaying();
    }

    private toggle(): void {
        if (this.player.playing) this.player.pause();
        else this.play();
    }

    private showPlaying(): void {
        const playing = this.player.playing;
        element("play-word").textContent = playing ? "Pause" : "Play";
        element("play-icon").setAttribute("d", playing ? "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z" : "M7 4v16l13-8z");
        this.commentary.setSpoken(!playing);
    }

    private single(what: "oneStep" | "oneEvent"): void {
        this.player.pause();
        this.player[what](HAND_MS);
        this.inspector.update();
        this.relink();
    }

    private runToTarget(): void {
        this.player.runTo(this.machine.protocol.target);
        this.showPlaying();
    }

    private setSpeed(speed: number): void {
        this.player.speed = speed;
        const slider = element<HTMLInputElement>("speed");
        slider.value = String(speed === Infinity ? 100 : Math.round((Math.log10(speed) / 9) * 100));
        const word = speed === Infinity ? "as fast as it goes"
            : `${short(+speed.toPrecision(2))} ${speed < 1.5 ? "step" : "steps"}/s`;
        element("speed-word").textContent = word;
        slider.setAttribute("aria-valuetext", word);
    }

    private wireControls(): void {
        const on = (id: string, action: () => void) => element(id).addEventListener("click", action);
        on("play", () => this.toggle());
        on("restart", () => this.restart());
        on("one-step", () => this.single("oneStep"));
        on("one-event", () => this.single("oneEvent"));
        on("run-to", () => this.runToTarget());
        element<HTMLInputElement>("speed").addEventListener("input", (event) => {
            const value = Number((event.target as HTMLInputElement).value);
            this.setSpeed(value >= 100 ? Infinity : 10 ** ((value / 100) * 9));
        });
        this.setSpeed(8);
        on("corrupt", () => this.corrupt());
        on("kill", () => this.killLeader());
        on("crown", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: true },
            "crown", "you made every agent a leader"));
        on("depose", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: false },
            "remove", "you removed all leaders"));
    }

    private corrupt(): void {
        const input = element<HTMLInputElement>("corrupt-count");
        const agents = Math.min(this.machine.n, Math.max(1, Math.trunc(Number(input.value)) || 1));
        input.value = String(agents);
        this.disturb({ kind: "fault", agents }, "fault",
            `you gave ${agents} random ${agents === 1 ? "agent a random state" : "agents random states"}`);
    }

    private killLeader(): void {
        const leader = this.machine.leader;
        if (leader >= this.machine.n) this.toast("There is no leader to kill");
        else this.disturb({ kind: "crown", from: leader, to: leader + 1, leads: false }, "kill",
            `you made the leader u_${leader} a follower`);
    }

    // ---- the ring under the pointer and the keys ---------------------------------------------

    private choose(agent: number): void {
        this.ring.selected = agent;
        this.inspector.show(agent);
        this.stale = true;
    }

    private wireRing(): void {
        const canvas = this.ring.canvas;
        canvas.addEventListener("pointermove", (event) => {
            const { agent, arc } = this.ring.hitAt(event.offsetX, event.offsetY);
            this.ring.hovered = agent;
            this.ring.hoveredArc = arc;
            canvas.classList.toggle("pointing", agent >= 0 || arc >= 0);
            this.tip(agent, arc, event.offsetX, event.offsetY);
            this.stale = true;
        });
        canvas.addEventListener("pointerleave", () => {
            this.ring.hovered = this.ring.hoveredArc = -1;
            this.tip(-1, -1, 0, 0);
            this.stale = true;
        });
        canvas.addEventListener("click", (event) => {
            const { agent, arc } = this.ring.hitAt(event.offsetX, event.offsetY);
            if (arc >= 0) this.meet(arc);
            else this.choose(agent);
        });
    }

    private tip(agent: number, arc: number, x: number, y: number): void {
        const tip = element("tip");
        tip.hidden = agent < 0 && arc < 0;
        if (tip.hidden) return;
        const lines = agent >= 0 ? [`u_${agent}`, ...this.machine.facts(agent)]
            : [`arc e_${arc}: click to let u_${arc} meet u_${(arc + 1) % this.machine.n}`];
        tip.replaceChildren(...lines.map((line, i) => {
            const row = document.createElement("div");
            row.append(...withIndices(line));
            if (i === 0 && agent >= 0) {
                const state = document.createElement("code");
                state.textContent = this.machine.state(agent);
                row.append("  ", state);
            }
            return row;
        }));
        const box = tip.parentElement!;
        tip.style.left = `${Math.max(6, Math.min(x + 14, box.clientWidth - tip.offsetWidth - 6))}px`;
        tip.style.top = `${y + 18 + tip.offsetHeight > box.clientHeight ? y - tip.offsetHeight - 10 : y + 18}px`;
    }

    private wireKeys(): void {
        this.ring.canvas.addEventListener("keydown", (event) => {
            const { n } = this.machine;
            const at = this.ring.selected;
            const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (way !== 0) {
                this.choose(at < 0 ? 0 : (at + way + n) % n);
                const agent = this.ring.selected;
                element("status").textContent =
                    `u ${agent}: ${this.machine.state(agent)}. ${this.machine.facts(agent).join(". ")}`;
            } else if (event.key === "Enter" && at >= 0) this.meet(at);
            else if (event.key === "Escape") this.choose(-1);
            else return;
            event.preventDefault();
        });
        document.addEventListener("keydown", (event) => {
            const target = event.target as HTMLElement;
            if (target.closest("input, select, textarea, button") || event.ctrlKey || event.metaKey || event.altKey) return;
            const action = { " ": () => this.toggle(), s: () => this.single("oneStep"),
                e: () => this.single("oneEvent"), Home: () => this.restart() }[event.key];
            if (!action) return;
            action();
            event.preventDefault();
        });
    }

    // ---- links -------------------------------------------------------------------------------

    private relink(): void {
        history.replaceState(null, "", writeView(this.execution.view));
    }

    private wireLinks(): void {
        element("copy-link").addEventListener("click", () => void this.copyLink());
        addEventListener("hashchange", () => this.openLink(location.hash));
        const tour = new Tour({
            open: (fragment) => this.openLink(fragment),
            meet: (arc) => this.meet(arc),
            play: (speed) => { this.setSpeed(speed); this.play(); },
        });
        addEventListener("keydown", (event) => {
            if (event.key === "Escape" && tour.isOpen) tour.close();
        });
        if (!this.openLink(location.hash)) this.open({ request: this.defaults, deeds: [], at: 0 });
    }

    private openLink(fragment: string): boolean {
        const view = readView(fragment, this.machine.protocols, this.defaults);
        return view !== null && this.open(view);
    }

    private async copyLink(): Promise<void> {
        this.relink();
        try {
            await navigator.clipboard.writeText(location.href);
            this.toast("The link is on the clipboard");
        } catch {
            this.toast("The address bar has the link");
        }
    }

    private toast(text: string): void {
        const toast = element("toast");
        toast.textContent = text;
        toast.classList.add("shown");
        setTimeout(() => toast.classList.remove("shown"), 2600);
    }

    // ---- drawing -----------------------------------------------------------------------------

    private refresh(): void {
        this.stale = true;
    }

    private restyle(): void {
        buildLegend(element("legend"), this.machine.protocol);
        this.refresh();
    }

    private frame(now: number): void {
        this.player.frame(now);
        const lively = this.ring.isLively(now);
        if (this.stale || lively) this.ring.draw(now);
        if (this.stale) {
            this.stale = lively;
            this.timeline.draw();
            this.spacetime.draw();
            this.showCentre();
            if (this.player.playing) this.inspector.update();
        }
        requestAnimationFrame((next) => this.frame(next));
    }

    private showCentre(): void {
        const { machine } = this;
        const leaders = machine.gauges()[0];
        show("leaders", grouped(leaders));
        show("leaders-word", leaders === 1 ? "leader" : "leaders");
        show("step", grouped(machine.step));
        show("parallel", grouped(+(machine.step / machine.n).toFixed(1)));
        this.showHits();
        if (!this.player.playing)
            this.ring.canvas.setAttribute("aria-label",
                `${machine.n} agents, ${this.leaderWords()}, step ${grouped(machine.step)}`);
    }

    private showHits(): void {
        const { machine } = this;
        const hits = machine.protocol.sets.map((_, i) => machine.hit(i));
        const key = machine.protocol.name + hits.join();
        if (key === this.hitsShown) return;
        this.hitsShown = key;
        element("hits").replaceChildren(...machine.protocol.sets.map((set, i) => {
            const row = document.createElement("div");
            row.className = hits[i] >= 0 ? "hit" : "";
            const dot = document.createElement("span");
            dot.className = "dot";
            const since = hits[i] >= 0 ? ` since ${grouped(hits[i])}` : " not yet";
            row.append(dot, ...withIndices(set.name), since);
            return row;
        }));
    }
}

/** Sets a text if it is another one: a text that stays needs no layout. */
function show(id: string, text: string): void {
    const place = element(id);
    if (place.textContent !== text) place.textContent = text;
}

/** For the console and the tests: an election like `ringleader elect`, on a machine of its own. */
async function elect(request: Partial<Request>) {
    const machine = await Machine.load();
    machine.open({ ...DEFAULT, protocol: machine.protocols[0].name, ...request });
    while (!machine.advanceToSet(Infinity, machine.protocol.target) && !machine.silent);
    return {
        steps: machine.step, events: machine.events, leader: machine.leader,
        hits: machine.protocol.sets.map((_, i) => machine.hit(i)),
        configuration: machine.configuration(),
    };
}

void Promise.all([Machine.load(), Machine.load()]).then(([machine, scratch]) => {
    const page = new Page(machine, scratch);
    Object.assign(globalThis, { ringleader: { elect, machine, page } });
});
