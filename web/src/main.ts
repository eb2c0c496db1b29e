// SPDX-License-Identifier: MIT
//
// The page: puts the parts together. Views draw only when something has changed or moves.
import "./style.css";
import { grouped, short } from "./canvas";
import { Compare } from "./compare";
import { Commentary, withIndices } from "./commentary";
import { tellDeed } from "./deeds";
import { Execution, type Wish } from "./execution";
import { Film } from "./film";
import { Inspector } from "./inspector";
import { buildLegend } from "./legend";
import { readView, writeView, type View } from "./link";
import { Machine, type Request } from "./machine";
import { saveBlob, svgOf } from "./picture";
import { Player } from "./play";
import { Proof } from "./proof";
import { RingView } from "./ring";
import { Rule } from "./rule";
import { Setup, wholeNumber } from "./setup";
import { SpaceTime } from "./spacetime";
import { wantsStillness, watchTheme } from "./theme";
import { Timeline } from "./timeline";
import { Tabs } from "./tabs";
import { Guide } from "./tour";

const element = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const HAND_MS = 420, MOST_AGENTS = 20000;
const DEFAULT: Request = {
    protocol: "", n: 32, parameters: {}, start: "random", seed: 7n, trial: 0n, engine: "event",
};

class Page {
    private readonly execution: Execution;
    private readonly ring: RingView;
    private readonly timeline: Timeline;
    private readonly spacetime: SpaceTime;
    private readonly commentary: Commentary;
    private readonly rule: Rule;
    private readonly proof: Proof;
    private readonly tabs = new Tabs(() => this.changedTab());
    private readonly compare: Compare;
    private readonly inspector: Inspector;
    private readonly setup: Setup;
    private readonly player: Player;
    private readonly tour = new Guide({
        open: (fragment) => this.openLink(fragment),
        meet: (arc) => this.meet(arc),
        play: (speed) => { this.setSpeed(speed); this.play(); },
        where: () => writeView(this.execution.view),
    });
    private readonly defaults: Request;
    private stale = true;
    private hitsShown = "";
    private told = 0;
    private toasting = 0;

    constructor(private readonly machine: Machine, scratch: Machine, beside: Machine) {
        this.defaults = { ...DEFAULT, protocol: machine.protocols[0].name };
        this.execution = new Execution(machine, scratch, this.defaults, (deed) => tellDeed(deed, machine));
        const goTo = (step: number) => this.goTo(step);
        this.ring = new RingView(element<HTMLCanvasElement>("ring"), machine);
        this.commentary = new Commentary(element("commentary"), goTo);
        this.timeline = new Timeline(element<HTMLCanvasElement>("timeline"), element("series"),
            element("timeline-readout"), this.execution, () => this.refresh(), goTo);
        this.spacetime = new SpaceTime(element<HTMLCanvasElement>("spacetime"), this.execution, goTo);
        this.compare = new Compare(beside, scratch, () => this.compared());
        this.rule = new Rule(element("rule"), machine);
        this.proof = new Proof(element("proof"), machine, (agent) => this.choose(agent));
        this.inspector = new Inspector(machine, {
            set: (agent, variable, value) => this.disturb({ kind: "set", agent, variable, value }),
            meet: (arc) => this.meet(arc),
            choose: (agent) => this.choose(agent),
        });
        this.setup = new Setup(machine, (request) => void this.open({ request, deeds: [], at: 0 }));
        this.player = new Player(this.execution, {
            flash: (flash) => this.ring.flash(flash),
            moved: () => this.refresh(),
            stopped: (why) => this.stopped(why),
            ready: () => this.compare.follow(machine.step),
        }, wantsStillness);
        this.wireControls();
        this.wireRing();
        this.wireKeys();
        this.wireLecture();
        this.wireLinks();
        watchTheme(element<HTMLButtonElement>("theme"), () => this.restyle());
        new ResizeObserver(() => {
            this.tip(-1, -1, 0, 0); // it may stand outside by now
            this.refresh();
        }).observe(element("ring"));
        new ResizeObserver(() => this.refresh()).observe(element("timeline"));
        requestAnimationFrame((now) => this.frame(now));
    }

    // ---- executions --------------------------------------------------------------------------

    /** Opens a view; what is wrong with it is said at the form and the old one stays. */
    private open(view: View): boolean {
        this.player.pause();
        try {
            if (view.request.n > MOST_AGENTS)
                throw new Error(`this page takes up to ${grouped(MOST_AGENTS)} agents; the command line takes 2^26`);
            this.execution.open(view);
        } catch (problem) {
            this.setup.complain((problem as Error).message);
            return false;
        }
        this.begin();
        if (view.show) this.tabs.show(view.show);
        this.compare.begin(view.request);
        if (view.beside) this.compare.open(view.beside);
        if (!this.player.goTo(view.at))
            this.toast(`Step ${grouped(view.at)} is too far for this page: it stands at ${grouped(this.machine.step)}`);
        this.relink();
        return true;
    }

    private begin(): void {
        const { protocol, n } = this.machine;
        this.ring.clearFlashes();
        this.timeline.begin(protocol.gauges);
        this.setup.show(this.execution.request);
        buildLegend(element("legend"), protocol, this.ring.isBand);
        element("subtitle").replaceChildren(...withIndices(protocol.title));
        document.body.classList.toggle("band", this.ring.isBand);
        element("inspector-hint").textContent = this.hint();
        element<HTMLInputElement>("corrupt-count").max = String(n);
        if (this.ring.selected >= n) this.choose(-1);
        const { start, configuration, seed } = this.execution.request;
        const from = configuration === undefined ? `the start \u201c${start}\u201d` : "a configuration";
        this.execution.record.note({ step: 0, kind: "start", lines: [`${n} agents, from ${from}, seed ${seed}`] });
        this.refresh();
    }

    private hint(): string {
        const agent = "Click an agent to see and edit its state";
        return this.ring.arcsAreWide ? `${agent}; click the arc between two agents to make it interact.`
            : `${agent}, and to make it meet a neighbour.`;
    }

    private restart(): void {
        const wasPlaying = this.player.playing;
        this.goTo(0);
        if (wasPlaying) this.play();
    }

    // ---- what happens ------------------------------------------------------------------------

    /** Something done to the ring now; if this is the past, the future is another one. */
    private disturb(wish: Wish): void {
        if (this.execution.isPast) this.toast("From here it goes another way");
        this.execution.do(wish);
        this.ring.clearFlashes();
        this.settled();
    }

    private meet(arc: number): void {
        this.player.pause();
        this.player.byHand(arc, HAND_MS);
        this.settled();
    }

    private compared(): void {
        this.timeline.beside = this.compare.isOpen ? this.compare.execution : null;
        this.relink();
        this.refresh();
    }

    private changedTab(): void {
        this.ring.shows = document.body.dataset.telling = this.tabs.open;
        this.relink();
        this.refresh();
    }

    /** The person stands somewhere and looks. */
    private settled(): void {
        this.inspector.update();
        this.relink();
        this.refresh();
    }

    private goTo(step: number): void {
        this.ring.clearFlashes();
        this.player.goTo(step);
        this.settled();
    }

    /** To the next or the last landmark: a leader made or unmade, a hit, something that was done. */
    private landmark(forwards: boolean): void {
        const { record, machine } = this.execution;
        const place = forwards ? record.landmarkAfter(machine.step) : record.landmarkBefore(machine.step);
        if (place) this.goTo(place.step);
        else if (forwards) {
            this.player.runToLandmark();
            this.showPlaying();
        }
    }

    private back(what: "step" | "event"): void {
        const { machine } = this;
        if (machine.step > 0) this.goTo(what === "step" ? machine.step - 1 : this.execution.eventBefore());
    }

    private stopped(why: "asked" | "goal" | "silent"): void {
        const { machine } = this;
        this.showPlaying();
        this.settled();
        const place = `at step ${grouped(machine.step)}`;
        if (why === "silent") this.toast(`Nothing can change any more, ${place}`);
        if (why === "goal") this.toast(this.landmarkWords(place));
        element("status").textContent = `Paused ${place}, ${this.leaderWords()}`;
    }

    private landmarkWords(place: string): string {
        const here = this.execution.record.landmarks.filter((l) => l.step === this.machine.step && l.label);
        return here.length > 0 ? `${here.map((l) => l.label).join(", ")} ${place}` : `${this.leaderWords()} ${place}`;
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
        this.settled();
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
        on("back-step", () => this.back("step"));
        on("back-event", () => this.back("event"));
        on("last-landmark", () => this.landmark(false));
        on("next-landmark", () => this.landmark(true));
        on("corrupt", () => this.corrupt());
        on("kill", () => this.killLeader());
        on("crown", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: true }));
        on("depose", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: false }));
        on("undo", () => this.open({ request: this.execution.request, deeds: [], at: 0 }));
    }

    // ---- for a lecture -----------------------------------------------------------------------

    /** Full screen where the browser allows it, large type in any case. */
    private present(): void {
        const on = document.body.classList.toggle("lecture");
        if (on) void document.documentElement.requestFullscreen?.().catch(() => undefined);
        else if (document.fullscreenElement) void document.exitFullscreen();
        this.refresh();
    }

    private wireLecture(): void {
        element("present").addEventListener("click", () => this.present());
        document.addEventListener("fullscreenchange", () => {
            if (!document.fullscreenElement) document.body.classList.remove("lecture");
            this.refresh();
        });
        const name = () => `ringleader-${this.machine.protocol.name}-n${this.machine.n}-step${this.machine.step}`;
        const film: Film = new Film(this.ring.canvas, () => save());
        const save = () => {
            element("save-film").textContent = "Film it";
            saveBlob(film.end(), `${name()}-film.png`);
        };
        element("save-svg").addEventListener("click", () => {
            const svg = svgOf(this.ring.canvas, (sheet) => this.ring.drawOn(sheet, performance.now()));
            saveBlob(new Blob([svg], { type: "image/svg+xml" }), `${name()}.svg`);
        });
        element("save-png").addEventListener("click", () => saveBlob(film.still(), `${name()}.png`));
        element("save-film").addEventListener("click", () => {
            if (film.isRunning) return save();
            film.begin();
            element("save-film").textContent = "Stop filming, and save";
            this.toast("Filming: press Play, and stop it in the same menu");
        });
    }

    private corrupt(): void {
        const input = element<HTMLInputElement>("corrupt-count");
        const agents = wholeNumber(input.value, 1, this.machine.n);
        if (agents === null) this.toast(`Between 1 and ${grouped(this.machine.n)} agents can be corrupted`);
        else this.disturb({ kind: "fault", agents });
    }

    private killLeader(): void {
        const leader = this.machine.leader;
        if (leader >= this.machine.n) this.toast("There is no leader to kill");
        else this.disturb({ kind: "crown", from: leader, to: leader + 1, leads: false });
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
            if (target.closest("input:not([type=range]), select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
            /* A button with the focus keeps the keys that press it. */
            if (target.closest("button, a") && (event.key === " " || event.key === "Enter")) return;
            const action = this.keys[event.key];
            if (!action || event.defaultPrevented) return;
            action();
            event.preventDefault();
        });
        element("timeline").addEventListener("keydown", (event) => {
            const action = { ArrowLeft: () => this.back("event"), ArrowRight: () => this.single("oneEvent"),
                End: () => this.goTo(this.execution.furthest) }[event.key];
            if (!action) return;
            action();
            event.preventDefault();
        });
    }

    /** A presenter's remote sends PageDown and PageUp. */
    private readonly keys: Record<string, () => void> = {
        " ": () => this.toggle(),
        s: () => this.single("oneStep"), S: () => this.back("step"),
        e: () => this.single("oneEvent"), E: () => this.back("event"),
        PageDown: () => (this.tour.isOpen ? this.tour.next() : this.landmark(true)),
        PageUp: () => (this.tour.isOpen ? this.tour.back() : this.landmark(false)),
        Home: () => this.restart(),
        f: () => this.present(),
    };

    // ---- links -------------------------------------------------------------------------------

    private relink(): void {
        history.replaceState(null, "", writeView({ ...this.execution.view, show: this.tabs.open, beside: this.compare.rival }));
    }

    private wireLinks(): void {
        element("copy-link").addEventListener("click", () => void this.copyLink());
        addEventListener("hashchange", () => this.openLink(location.hash));
        addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            if (this.tour.isOpen) this.tour.close();
            else if (document.body.classList.contains("lecture")) this.present();
        });
        if (!this.openLink(location.hash)) this.openDefault();
    }

    /** Opens what a link says. What is wrong with it is said, and the address stays as it is. */
    private openLink(fragment: string): boolean {
        if (fragment.length < 2) return false;
        try {
            return this.open(readView(fragment, this.machine.protocols, this.defaults));
        } catch (problem) {
            this.setup.complain(`This link cannot be opened: ${(problem as Error).message}`);
            return false;
        }
    }

    /** For somebody who has no link, or a wrong one: that one stays in the address. */
    private openDefault(): void {
        const address = location.hash, problem = element("problem").textContent ?? "";
        this.open({ request: this.defaults, deeds: [], at: 0 });
        if (problem === "") return;
        history.replaceState(null, "", address);
        this.setup.complain(problem);
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
        toast.replaceChildren(...withIndices(text));
        toast.classList.add("shown");
        clearTimeout(this.toasting);
        this.toasting = window.setTimeout(() => toast.classList.remove("shown"), 2600);
    }

    // ---- drawing -----------------------------------------------------------------------------

    private refresh(): void {
        this.stale = true;
    }

    private restyle(): void {
        buildLegend(element("legend"), this.machine.protocol, this.ring.isBand);
        this.refresh();
    }

    private frame(now: number): void {
        this.player.frame(now);
        const lively = this.ring.isLively(now);
        if (this.stale || lively) this.ring.draw(now);
        if (this.stale) {
            this.stale = !this.compare.follow(this.machine.step) || lively;
            this.compare.draw(now);
            this.timeline.draw();
            this.spacetime.draw();
            this.showCentre();
            this.showLog(now);
            this.inspector.update();
            this.tour.watch(this.machine, this.execution.view.deeds.filter((deed) => deed.kind !== "arc").length);
        }
        requestAnimationFrame((next) => this.frame(next));
    }

    /** Not in every frame of a fast run. */
    private showLog(now: number): void {
        if (this.player.playing && now - this.told < 120) return;
        this.told = now;
        this.commentary.show(this.execution.record, this.machine.step);
        if (this.tabs.open === "rule") this.rule.show();
        if (this.tabs.open === "proof") this.proof.show();
    }

    private showCentre(): void {
        const { machine } = this;
        const leaders = machine.gauges()[0];
        show("leaders", grouped(leaders));
        show("leaders-word", leaders === 1 ? "leader" : "leaders");
        show("step", grouped(machine.step));
        show("parallel", grouped(+(machine.step / machine.n).toFixed(1)));
        this.showHits();
        const place = element(this.ring.placeCentre(element("centre")) ? "centre" : "strip");
        if (element("hits").parentElement !== place) place.append(element("hits"));
        element("back-step").toggleAttribute("disabled", machine.step === 0);
        element("back-event").toggleAttribute("disabled", machine.step === 0);
        element("last-landmark").toggleAttribute("disabled", machine.step === 0);
        element("undo").hidden = this.execution.view.deeds.length === 0;
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
        const target = machine.protocol.target;
        element("run-to").replaceChildren(...hits[target] >= 0 ? ["Run on"]
            : ["Run to ", ...withIndices(machine.protocol.sets[target].name)]);
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

void Promise.all([Machine.load(), Machine.load(), Machine.load()]).then(([machine, scratch, beside]) => {
    const page = new Page(machine, scratch, beside);
    Object.assign(globalThis, { ringleader: { elect, machine, page } });
});
