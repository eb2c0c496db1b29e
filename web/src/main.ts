// SPDX-License-Identifier: MIT
//
// The page: puts the parts together. Views draw only when something has changed or moves.
import "./style.css";
import version from "virtual:ringleader-version";
import { grouped, resized, short } from "./canvas";
import { Compare } from "./compare";
import { Commentary } from "./commentary";
import { element, make, on, show, withIndices } from "./dom";
import { Execution, type Wish } from "./execution";
import { Film } from "./film";
import { Inspector } from "./inspector";
import { buildLegend } from "./legend";
import { readView, writeView, type View } from "./link";
import { Machine, nameOf, type Request } from "./machine";
import { Opening } from "./opening";
import { saveBlob, svgOf } from "./picture";
import { Player, WITHIN } from "./play";
import { Proof } from "./proof";
import { RingView } from "./ring";
import { paperLink, Rule } from "./rule";
import { Setup, wholeNumber } from "./setup";
import { SpaceTime } from "./spacetime";
import { wantsStillness, watchTheme } from "./theme";
import { Timeline } from "./timeline";
import { Tabs } from "./tabs";
import { Guide } from "./tour";

const HAND_MS = 420, MOST_AGENTS = 20000;
/** The log is laid out at most so often while the ring is at work. */
const LOG_MS = 200;
const DEFAULT: Request = {
    protocol: "", n: 32, parameters: {}, start: "random", seed: 7n, trial: 0n, engine: "event",
};

class Page {
    private readonly execution: Execution;
    private readonly ring: RingView;
    private readonly timeline: Timeline;
    private readonly spacetime: SpaceTime;
    /** The same in place of a ring that is too large to be drawn as one. */
    private readonly wide: SpaceTime;
    private readonly commentary: Commentary;
    private readonly rule: Rule;
    private readonly proof: Proof;
    private readonly tabs = new Tabs(() => this.changedTab());
    private readonly compare: Compare;
    private readonly inspector: Inspector;
    private readonly setup: Setup;
    private readonly player: Player;
    private readonly opening: Opening;
    private readonly tour = new Guide({
        open: (fragment) => { this.choose(-1); this.openLink(fragment); },
        meet: (arc) => this.meet(arc),
        play: (speed) => { this.setSpeed(speed); this.play(); },
        where: () => writeView(this.execution.view),
        over: () => this.setSpeed(0),
    });
    private readonly defaults: Request;
    private stale = true;
    private hitsShown = "";
    private told = 0;
    private toasting = 0;

    constructor(private readonly machine: Machine, scratch: Machine, beside: Machine, ahead: Machine) {
        this.defaults = { ...DEFAULT, protocol: machine.protocols[0].name };
        this.execution = new Execution(machine, scratch, this.defaults);
        const goTo = (step: number) => this.goTo(step);
        this.ring = new RingView(element<HTMLCanvasElement>("ring"), machine);
        this.commentary = new Commentary(element("commentary"), goTo);
        this.timeline = new Timeline(element<HTMLCanvasElement>("timeline"), element("series"),
            element("timeline-readout"), this.execution, () => this.refresh(), goTo);
        this.spacetime = new SpaceTime(element<HTMLCanvasElement>("spacetime"), this.execution, goTo);
        this.wide = new SpaceTime(this.ring.canvas, this.execution, goTo);
        this.compare = new Compare(beside, machine, scratch, () => this.compared());
        this.rule = new Rule(element("rule"), this.execution);
        this.proof = new Proof(element("proof"), machine, (agent) => this.choose(agent));
        this.inspector = new Inspector(machine, {
            set: (agent, variable, value) => this.disturb({ kind: "set", agent, variable, value }),
            meet: (arc) => this.meet(arc),
            choose: (agent) => this.choose(agent),
        });
        this.setup = new Setup(machine, (request) => this.another({ request, deeds: [], at: 0 }));
        this.player = new Player(this.execution, new Execution(ahead, scratch, this.defaults), {
            flash: (flash) => this.ring.flash(flash),
            moved: () => this.refresh(),
            stopped: (why) => this.stopped(why),
            ready: () => this.compare.follow(machine.step),
            beside: () => this.compare.hit,
        }, wantsStillness);
        this.opening = new Opening(this.execution, {
            open: (view) => this.open(view),
            play: (within) => this.play(within),
            pause: () => this.player.pause(),
            corrupt: (agents) => this.disturb({ kind: "fault", agents }),
            left: () => { this.ring.plain = false; this.relink(); this.refresh(); },
            isPlaying: () => this.player.playing,
            wantsStillness,
        });
        this.wireControls();
        this.wireRing();
        this.wireKeys();
        this.wireLecture();
        this.wireMenus();
        this.wireLinks();
        watchTheme(element<HTMLButtonElement>("theme"), () => this.refresh());
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
                throw new Error(`this page can show up to ${grouped(MOST_AGENTS)} agents; the command line can run 2^27 - 1`);
            this.execution.open(view);
        } catch (problem) {
            this.complain((problem as Error).message);
            return false;
        }
        this.begin();
        if (view.show) this.tabs.show(view.show);
        this.compare.begin(view.request);
        if (view.beside) this.compare.open(view.beside);
        if (!this.player.goTo(view.at))
            this.toast(`Step ${grouped(view.at)} is too far for this page; this is step ${grouped(this.machine.step)}`);
        this.relink();
        return true;
    }

    /** As `open`, but the browser's Back brings the present ring back. */
    private another(view: View): void {
        const before = location.hash;
        if (this.open(view) && location.hash !== before) {
            const now = location.hash;
            history.replaceState(null, "", before);
            history.pushState(null, "", now);
        }
    }

    private begin(): void {
        const { protocol, n } = this.machine;
        this.ring.clearFlashes();
        this.ring.plain = this.opening.isOpen;
        this.timeline.begin(protocol.gauges);
        this.setup.show(this.execution.request);
        element("subtitle").replaceChildren(...withIndices(protocol.title));
        document.body.classList.toggle("band", this.ring.isBand);
        element("too-large").hidden = !this.ring.isBand;
        buildLegend(element("legend"), this.machine, this.ring.isBand, this.tabs.open);
        this.widen(false);
        element("inspector-hint").textContent = this.hint();
        element<HTMLInputElement>("corrupt-count").max = String(n);
        this.choose(this.ring.selected >= n ? -1 : this.ring.selected, false);
        this.refresh();
    }

    /** What is wrong is said at the form, and where it is seen on a small screen, too. */
    private complain(problem: string): void {
        this.setup.complain(problem);
        this.toast(problem, 12000);
    }

    /** The space-time picture in place of the table of a large ring, or not. */
    private widen(isWide: boolean): void {
        this.wide.isOpen = isWide;
        element("widen").setAttribute("aria-pressed", String(isWide));
        show("widen", isWide ? "Show the table" : "Show space-time instead");
        document.body.classList.toggle("wide", isWide);
        this.refresh();
    }

    private hint(): string {
        const agent = "Click an agent to see and edit its state";
        return this.ring.arcsAreWide ? `${agent}; click the arc between two agents to make them meet. Right is clockwise.`
            : `${agent}, and to make it meet a neighbour. Right is clockwise.`;
    }

    private restart(): void {
        const wasPlaying = this.player.playing;
        this.goTo(0);
        if (wasPlaying) this.play();
    }

    // ---- what happens ------------------------------------------------------------------------

    /** Something done to the ring now; if this is the past, the future is another one. */
    private disturb(wish: Wish): void {
        if (this.execution.isPast) this.toast("You changed the past; a new run starts here");
        this.execution.do(wish);
        this.ring.clearFlashes();
        if (this.player.playing && this.player.speed === 0) this.play();
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
        if (why === "silent") this.toast(`Nothing can change anymore, ${place}`);
        if (why === "goal" && !this.opening.isOpen) this.toast(this.landmarkWords(place));
        this.opening.stopped(why === "goal");
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

    private play(within = WITHIN): void {
        this.player.play(within);
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

    /** 0: such that it ends in half a minute. */
    private setSpeed(speed: number): void {
        this.player.speed = speed;
        const slider = element<HTMLInputElement>("speed");
        slider.value = String(speed === Infinity ? 100 : speed === 0 ? 0 : Math.max(1, Math.round((Math.log10(speed) / 9) * 100)));
        const word = speed === Infinity ? "as fast as possible" : speed === 0 ? "ends in \u00bd min"
            : `${short(+speed.toPrecision(2))} ${speed < 1.5 ? "step" : "steps"}/s`;
        show("speed-word", word);
        slider.setAttribute("aria-valuetext", word);
    }

    private wireControls(): void {
        on("play", () => this.toggle());
        on("restart", () => this.restart());
        on("one-step", () => this.single("oneStep"));
        on("one-event", () => this.single("oneEvent"));
        on("run-to", () => this.runToTarget());
        element<HTMLInputElement>("speed").addEventListener("input", (event) => {
            const value = Number((event.target as HTMLInputElement).value);
            this.setSpeed(value >= 100 ? Infinity : value === 0 ? 0 : 10 ** ((value / 100) * 9));
            if (value === 0 && this.player.playing) this.play();
        });
        this.setSpeed(0);
        on("back-step", () => this.back("step"));
        on("back-event", () => this.back("event"));
        on("last-landmark", () => this.landmark(false));
        on("next-landmark", () => this.landmark(true));
        on("corrupt", () => this.corrupt());
        on("kill", () => this.killLeader());
        on("crown", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: true }));
        on("depose", () => this.disturb({ kind: "crown", from: 0, to: this.machine.n, leads: false }));
        on("undo", () => this.another({ request: this.execution.request, deeds: [], at: 0 }));
        on("widen", () => this.widen(!this.wide.isOpen));
    }

    // ---- for a lecture, and menus ------------------------------------------------------------

    /** Full screen where the browser allows it, large type in any case. */
    private present(on = document.body.classList.toggle("lecture")): void {
        document.body.classList.toggle("lecture", on);
        if (on) void document.documentElement.requestFullscreen?.().catch(() => undefined);
        else if (document.fullscreenElement) void document.exitFullscreen();
        resized();
        this.refresh();
    }

    private wireLecture(): void {
        on("present", () => this.present());
        on("leave-lecture", () => this.present(false));
        document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) this.present(false); });
        const name = () => `ringleader-${this.machine.protocol.name}-n${this.machine.n}-step${this.machine.step}`;
        const film: Film = new Film(this.ring.canvas, () => void save("png"));
        const filming = (isRunning: boolean) => {
            show("save-film", isRunning ? "Stop filming, save as PNG" : "Film it");
            element("save-gif").hidden = !isRunning;
        };
        const save = async (kind: "png" | "gif") => {
            filming(false);
            saveBlob(await film.end(kind), `${name()}-film.${kind}`);
        };
        on("save-svg", () => {
            const svg = svgOf(this.ring.canvas, (sheet) => this.ring.drawOn(sheet, performance.now()));
            saveBlob(new Blob([svg], { type: "image/svg+xml" }), `${name()}.svg`);
        });
        on("save-png", () => saveBlob(film.still(), `${name()}.png`));
        on("save-gif", () => void save("gif"));
        on("save-film", () => {
            if (film.isRunning) return void save("png");
            film.begin();
            filming(true);
            this.toast("Filming. Press Play; to stop filming, use the same menu");
        });
    }

    private wireMenus(): void {
        const menu = element<HTMLDetailsElement>("save");
        addEventListener("click", (event) => {
            const target = event.target as HTMLElement;
            if (!target.closest("summary")) menu.open = false;
            if (target instanceof HTMLDialogElement) target.close(); // beside it
        });
        for (const name of ["about", "keys"]) on(`${name}-open`, () => element<HTMLDialogElement>(name).showModal());
        show("version", version);
        show("cite-version", version);
        element("about-paper").append(paperLink());
        element("key-list").append(...KEYS.flatMap(([keys, what]) => [make("dt", "", ...keys.map((key) => make("kbd", "", key))), make("dd", "", what)]));
    }

    private corrupt(): void {
        const input = element<HTMLInputElement>("corrupt-count");
        const agents = wholeNumber(input.value, 1, this.machine.n);
        if (agents === null) this.toast(`You can corrupt between 1 and ${grouped(this.machine.n)} agents`);
        else this.disturb({ kind: "fault", agents });
    }

    private killLeader(): void {
        const leader = this.machine.leader;
        if (leader >= this.machine.n) this.toast("There is no leader to kill");
        else this.disturb({ kind: "crown", from: leader, to: leader + 1, leads: false });
    }

    // ---- the ring under the pointer and the keys ---------------------------------------------

    private choose(agent: number, inPlace = true): void {
        this.ring.selected = agent;
        this.inspector.show(agent);
        this.placeMenu(inPlace ? agent : -1);
        this.stale = true;
    }

    /** What can be done to an agent, beside it. */
    private placeMenu(agent: number): void {
        const menu = element("in-place");
        menu.hidden = agent < 0 || this.ring.isBand || this.opening.isOpen;
        if (menu.hidden) return;
        show("crown-it", (this.machine.marks()[agent] & 1) !== 0 ? "Take its crown" : "Crown it");
        const [x, y] = this.ring.placeOf(agent), { clientWidth, clientHeight } = this.ring.canvas;
        const [dx, dy] = [clientWidth / 2 - x, clientHeight / 2 - y], away = Math.hypot(dx, dy) || 1;
        const inwards = Math.min(away, 84);
        menu.style.left = `${x + (dx / away) * inwards}px`;
        menu.style.top = `${y + (dy / away) * inwards}px`;
    }

    private wireRing(): void {
        const canvas = this.ring.canvas;
        const isRing = () => !this.wide.isOpen && !this.opening.isOpen;
        canvas.addEventListener("pointermove", (event) => {
            const { agent, arc } = isRing() ? this.ring.hitAt(event.offsetX, event.offsetY) : { agent: -1, arc: -1 };
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
            if (!isRing()) return;
            const { agent, arc } = this.ring.hitAt(event.offsetX, event.offsetY);
            if (arc >= 0) this.meet(arc);
            else this.choose(agent);
        });
        on("crown-it", () => {
            const from = this.ring.selected;
            this.disturb({ kind: "crown", from, to: from + 1, leads: !(this.machine.marks()[from] & 1) });
            this.placeMenu(from);
        });
        on("corrupt-it", () => this.machine.protocol.variables.forEach((_, variable) => this.disturb({ kind: "set",
            agent: this.ring.selected, variable, value: Math.floor(Math.random() * this.machine.variableSize(variable)) })));
    }

    private tip(agent: number, arc: number, x: number, y: number): void {
        const tip = element("tip");
        tip.hidden = (agent < 0 && arc < 0) || (agent >= 0 && !element("in-place").hidden);
        if (tip.hidden) return;
        tip.replaceChildren(...agent >= 0
            ? [make("div", "", `u_${agent}  `, make("code", "", this.machine.state(agent))), ...this.machine.facts(agent).map((fact) => make("div", "", fact))]
            : [make("div", "", `arc e_${arc}: click to let u_${arc} meet u_${(arc + 1) % this.machine.n}`)]);
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
            if (!action || event.defaultPrevented || this.opening.isOpen || document.querySelector("dialog[open]")) return;
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
        "?": () => element<HTMLDialogElement>("keys").showModal(),
    };

    // ---- links -------------------------------------------------------------------------------

    private relink(): void {
        if (!this.opening.isOpen)
            history.replaceState(null, "", writeView({ ...this.execution.view, show: this.tabs.open, beside: this.compare.rival }));
    }

    private wireLinks(): void {
        on("copy-link", () => void this.copyLink());
        addEventListener("hashchange", () => { if (!this.openLink(location.hash) && location.hash.length < 2) this.opening.begin(); });
        addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
            if (element<HTMLDetailsElement>("save").open) element<HTMLDetailsElement>("save").open = false;
            else if (this.tour.isOpen) this.tour.close();
            else if (document.body.classList.contains("lecture")) this.present(false);
            else this.choose(-1);
        });
        if (this.openLink(location.hash)) return;
        if (location.hash.length < 2 && this.machine.protocols[0].text === undefined) this.opening.begin();
        else this.openDefault();
    }

    /** Opens what a link says. What is wrong with it is said, and the address stays as it is. */
    private openLink(fragment: string): boolean {
        if (fragment.length < 2) return false;
        try {
            const view = readView(fragment, this.machine.protocols, this.defaults);
            this.opening.leave();
            if (this.open(view)) return true;
            throw new Error(element("problem").textContent!);
        } catch (problem) {
            history.replaceState(null, "", fragment);
            this.complain(`This link cannot be opened: ${(problem as Error).message}`);
            return false;
        }
    }

    /** For somebody who has a wrong link, which stays in the address. */
    private openDefault(): void {
        const address = location.hash, problem = element("problem").textContent ?? "";
        this.open({ request: this.defaults, deeds: [], at: 0 });
        if (problem === "") return;
        history.replaceState(null, "", address);
        this.complain(problem);
    }

    private async copyLink(): Promise<void> {
        this.relink();
        try {
            await navigator.clipboard.writeText(location.href);
            this.toast("Link copied");
        } catch {
            this.toast("The link is in the address bar");
        }
    }

    private toast(text: string, duration = 2600): void {
        const toast = element("toast");
        toast.replaceChildren(...withIndices(text));
        toast.classList.add("shown");
        clearTimeout(this.toasting);
        this.toasting = window.setTimeout(() => toast.classList.remove("shown"), duration);
    }

    // ---- drawing -----------------------------------------------------------------------------

    private refresh(): void {
        this.stale = true;
    }

    private frame(now: number): void {
        this.player.frame(now);
        const lively = this.ring.isLively(now);
        if ((this.stale || lively) && !this.wide.isOpen) this.ring.draw(now);
        if (this.stale) {
            this.stale = !this.compare.follow(this.machine.step) || lively;
            if (this.wide.isOpen) this.wide.draw();
            this.compare.draw(now);
            if (!this.opening.isOpen) this.drawPanels(now);
            this.showCentre();
            this.tour.watch(this.machine, this.execution.view.deeds.filter((deed) => deed.kind !== "arc").length);
        }
        requestAnimationFrame((next) => this.frame(next));
    }

    /** While it plays, what is read rather than watched is laid out five times a second. */
    private drawPanels(now: number): void {
        if (this.player.playing && now - this.told < LOG_MS) {
            this.stale = true;
            return;
        }
        this.told = now;
        this.timeline.draw();
        this.spacetime.draw();
        this.inspector.update();
        this.commentary.show(this.execution.record, this.machine.step);
        if (this.tabs.open === "rule") this.rule.show();
        if (this.tabs.open === "proof") this.proof.show();
        buildLegend(element("legend"), this.machine, this.ring.isBand, this.tabs.open);
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
                `${grouped(machine.n)} agents, ${this.leaderWords()}, step ${grouped(machine.step)}`);
    }

    private showHits(): void {
        const { machine } = this;
        const hits = machine.protocol.sets.map((_, i) => machine.hit(i));
        const key = [machine.protocol.name, ...hits, this.compare.isOpen, this.compare.hit < 0].join();
        if (key === this.hitsShown) return;
        this.hitsShown = key;
        const target = machine.protocol.target;
        show("run-to", hits[target] < 0 ? this.compare.isOpen ? "Run until both are done" : "Run to the end"
            : this.compare.hit < 0 ? "Run until both are done" : "See that it lasts");
        element("run-to").title = hits[target] < 0 ? `Run until ${machine.protocol.sets[target].name} is reached: one leader, forever`
            : `${grouped(machine.n)} x ${grouped(machine.n)} more steps: the leader stays`;
        element("hits").replaceChildren(...machine.protocol.sets.map((set, i) => {
            const row = make("div", hits[i] >= 0 ? "hit" : "", make("span", "dot"), set.name, hits[i] >= 0 ? ` since ${grouped(hits[i])}` : " not yet");
            row.title = set.meaning;
            return row;
        }));
    }
}

/** What keys do, for those who ask. */
const KEYS: [string[], string][] = [
    [["Space"], "Play or pause"], [["s", "Shift + s"], "One step on, or back"], [["e", "Shift + e"], "To the next meeting that changes something, or the one before"],
    [["Page Down", "Page Up"], "To the next change of leaders, or the one before; on a tour, to the next stop, or back"], [["Home"], "Back to the start"],
    [["\u2190", "\u2192"], "On the ring: choose an agent. On the timeline: go from event to event"], [["Enter"], "On the ring: let the agent meet its right neighbour"],
    [["f"], "Lecture: large type, full screen"], [["Esc"], "End a tour or the lecture, close a menu"], [["?"], "This list"],
];

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

void Promise.all([0, 1, 2, 3].map(() => Machine.load())).then(([machine, scratch, beside, ahead]) => {
    const page = new Page(machine, scratch, beside, ahead);
    Object.assign(globalThis, { ringleader: { elect, machine, page, nameOf } });
});
