// SPDX-License-Identifier: MIT
//
// The ring, drawn large. u_0 is at the top and right is clockwise. Each kind of thing has a lane of
// its own, so that it reads the same for 3 agents and for 500: crowns outside, agents on the ring,
// bullets just inside it (they fly clockwise), signals inside those (they run back). On an undirected
// ring clockwise is only one of two: there they go the way that the agents have chosen.
import { FONT, sheetOf, sizeOf, unit, type Sheet } from "./canvas";
import { barrier, bullet, crown, disc, obstacle, shape, shield, signal } from "./glyphs";
import { MARK, type Machine } from "./machine";
import { drawBand, bandAgentAt } from "./band";
import type { Tab } from "./tabs";
import { palette, shadeOf } from "./theme";

const BULLET = MARK.live | MARK.dummy;
export const RING_LIMIT = 300;
/** With more agents not every one has its index, and indices stand outside of all crowns. */
const MOST_LABELS = 30;
/** Pixels across that the words in the middle need to be legible, hits and all. */
const LEAST_ROOM = 200;
/** The same for a band, under which they stand in one line. */
const LEAST_LINE = 560;

/** A quarter turn in the direction that an agent takes for its right. */
function quarterAhead(marks: number): number {
    return marks & MARK.leftward ? -Math.PI / 2 : Math.PI / 2;
}

/** An interaction to be shown: when it happened and how the two agents looked before. */
export interface Flash {
    arc: number;
    changed: boolean;
    at: number;
    /** Milliseconds that things take to move; 0: they are there at once. */
    duration: number;
    before?: [number, number];
}

interface Geometry {
    cx: number; cy: number; radius: number; label: number; disc: number; crown: number; bullet: number;
    bulletLane: number; signal: number; signalLane: number;
}

function clamp(value: number, low: number, high: number): number {
    return Math.min(high, Math.max(low, value));
}

/** What a shield takes around a disc. */
function shieldRoom(disc: number): number {
    return clamp(disc / 2, 4, 9);
}

function geometryOf(width: number, height: number, n: number): Geometry {
    const crownSize = clamp(Math.min(width, height) / 5 / Math.sqrt(n), 12, 24);
    const edge = Math.min(width, height) / 2;
    const discAt = (r: number) => clamp(((2 * Math.PI * r) / n) * 0.37, 1.4, Math.min(24, edge / 9));
    const d = discAt(edge - 40);
    const label = d + shieldRoom(d) + (n <= MOST_LABELS ? crownSize * 0.8 + 11 : crownSize * 1.12 + 13);
    const radius = edge - label - 12;
    // On a small ring they are smaller than the discs allow, so that there is room for words inside.
    const b = clamp(Math.min(d * 1.25, radius / 8), 8, 17);
    const s = clamp(Math.min(d * 0.85, radius / 11), 5.5, 11);
    return {
        cx: width / 2, cy: height / 2, radius, label: radius + label, disc: d, crown: crownSize, bullet: b,
        bulletLane: radius - d - 5 - b * 0.6, signal: s,
        signalLane: radius - d - 9 - b * 1.2 - s,
    };
}

export class RingView {
    selected = -1;
    hovered = -1;
    hoveredArc = -1;
    /** What is told beside it: the proof is shown on the ring, too. */
    shows: Tab = "log";
    /** Without words and numbers, for somebody who knows nothing yet. */
    plain = false;
    private flashes: Flash[] = [];

    constructor(readonly canvas: HTMLCanvasElement, private readonly machine: Machine) {}

    get isBand() { return this.machine.n > RING_LIMIT; }

    flash(flash: Flash): void {
        this.flashes.push(flash);
        if (this.flashes.length > 24) this.flashes.shift();
    }

    clearFlashes(): void { this.flashes = []; }

    /** Is anything still moving or fading at this moment? */
    isLively(now: number): boolean {
        this.flashes = this.flashes.filter((f) => now - f.at < Math.max(700, f.duration));
        return this.flashes.length > 0;
    }

    draw(now: number): void {
        const sheet = sheetOf(this.canvas);
        if (sheet.width > 0) this.drawOn(sheet, now);
    }

    drawOn(sheet: Sheet, now: number): void {
        const marks = this.machine.marks();
        const shade = this.machine.shade();
        if (this.isBand) {
            drawBand(sheet, marks, shade, this.machine.shades, this.selected, this.hovered);
            return;
        }
        this.drawRing(sheet, marks, shade, now);
    }

    private get here(): Geometry {
        const { width, height } = sizeOf(this.canvas);
        return this.geometry(width, height);
    }

    /** Where an agent is, in pixels of the page. */
    placeOf(agent: number): [number, number] {
        const g = this.here, [x, y] = this.at(g, this.angle(agent), g.radius);
        return [x * unit(), y * unit()];
    }

    private geometry(width: number, height: number) {
        return geometryOf(width, height, this.machine.n);
    }

    private angle(agent: number): number {
        return (agent / this.machine.n) * 2 * Math.PI - Math.PI / 2;
    }

    private drawRing(sheet: Sheet, marks: Uint8Array, shade: Uint32Array, now: number): void {
        const { c, width, height } = sheet;
        const g = this.geometry(width, height);
        const n = this.machine.n;
        const move = this.flashes.find((f) => f.changed && f.before && now - f.at < f.duration);
        this.drawTrack(c, g);
        for (const flash of this.flashes) this.drawFlash(c, g, flash, now);
        if (this.hoveredArc >= 0) this.drawArc(c, g, this.hoveredArc, palette().accent, 3, 0.55);
        const shades = Math.max(1, this.machine.shades - 1);
        for (let i = 0; i < n; i++) if (marks[i] & MARK.barrier) this.drawBarrier(c, g, i);
        for (let i = 0; i < n; i++) this.drawAgent(c, g, i, marks[i], shade[i], shades);
        for (let i = 0; i < n; i++) this.drawLanes(c, g, i, this.withoutMoving(i, marks, move));
        if (move) this.drawMove(c, g, move, marks, now);
        if (this.shows === "proof") this.drawObstacles(c, g);
        if (!this.plain) this.drawLabels(c, g, width, marks);
        if (this.hovered >= 0) this.drawHalo(c, g, this.hovered, 1.5);
        if (this.selected >= 0) this.drawHalo(c, g, this.selected, 2.5);
    }

    private drawTrack(c: CanvasRenderingContext2D, g: Geometry): void {
        c.beginPath();
        c.arc(g.cx, g.cy, g.radius, 0, 2 * Math.PI);
        c.strokeStyle = palette().line;
        c.lineWidth = clamp(g.disc / 3, 1, 4);
        c.stroke();
    }

    private drawArc(c: CanvasRenderingContext2D, g: Geometry, arc: number, colour: string,
        width: number, alpha: number): void {
        const left = arc % this.machine.n;
        c.beginPath();
        c.arc(g.cx, g.cy, g.radius, this.angle(left), this.angle(left + 1));
        c.strokeStyle = colour;
        c.globalAlpha = alpha;
        c.lineWidth = width + g.disc * 0.45;
        c.lineCap = "round";
        c.stroke();
        c.globalAlpha = 1;
    }

    private drawFlash(c: CanvasRenderingContext2D, g: Geometry, flash: Flash, now: number): void {
        const life = Math.max(700, flash.duration);
        const left = clamp(1 - (now - flash.at) / life, 0, 1);
        const single = flash.before !== undefined;
        if (flash.changed)
            this.drawArc(c, g, flash.arc, palette().accent, single ? 6 : 2, (single ? 0.85 : 0.5) * left);
        else this.drawArc(c, g, flash.arc, palette().muted, 2, 0.6 * left);
    }

    private at(g: Geometry, angle: number, radius: number): [number, number] {
        return [g.cx + radius * Math.cos(angle), g.cy + radius * Math.sin(angle)];
    }

    private drawAgent(c: CanvasRenderingContext2D, g: Geometry, i: number, marks: number,
        dist: number, shades: number): void {
        const angle = this.angle(i);
        const [x, y] = this.at(g, angle, g.radius);
        const leads = (marks & MARK.leader) !== 0;
        const shade = shadeOf(Math.min(1, dist / shades));
        const radius = leads ? Math.max(g.disc, 4) : g.disc;
        const colours = palette();
        disc(c, x, y, radius, leads ? colours.leader : shade.css,
            leads ? colours.leaderEdge : colours.surface);
        if (marks & MARK.shield) shield(c, x, y, radius);
        if (this.machine.protocol.undirected) this.drawPlace(c, g, i, marks);
        if (g.disc >= 9 && !this.plain) {
            const [red, green, blue] = shade.colour;
            const light = 0.3 * red + 0.59 * green + 0.11 * blue > 140;
            c.fillStyle = leads ? "#2b1d00" : light ? "#1b1d22" : "#ffffff";
            this.drawWord(c, g, x, y, this.wordOf(i, dist));
        }
        if (leads) {
            /* Outside of its agent and upright, wherever on the ring that is. */
            const [px, py] = this.at(g, angle, this.crownLane(g, marks));
            crown(c, px, py + g.crown * 0.39, g.crown, 0);
        }
    }

    /** On an undirected ring: an arrow the way the agent takes for its right, and its colour as one of
     *  three shapes outside of it. */
    private drawPlace(c: CanvasRenderingContext2D, g: Geometry, i: number, marks: number): void {
        const angle = this.angle(i), size = clamp(g.disc * 0.4, 3, 7);
        const way = marks & MARK.leftward ? -1 : 1;
        const point = (along: number, across: number) =>
            this.at(g, angle + (way * (g.disc + 2 + along)) / g.radius, g.radius + across);
        c.beginPath();
        for (const [x, y] of [point(0, size), point(size, 0), point(0, -size)]) c.lineTo(x, y);
        c.strokeStyle = palette().muted;
        c.lineWidth = Math.max(1.2, size / 2);
        c.lineCap = c.lineJoin = "round";
        c.stroke();
        const colour = this.machine.protocol.variables.findIndex((variable) => variable.name === "colour");
        if (colour < 0 || marks & MARK.leader) return;
        const [px, py] = this.at(g, angle, g.radius + g.disc + size + 3);
        shape(c, px, py, size, this.machine.variable(i, colour));
    }

    /** What stands in a disc: dist, or a label; the legend says which. */
    private wordOf(i: number, dist: number): string {
        if (this.machine.shades > 0) return String(dist);
        const label = this.machine.protocol.variables.findIndex((variable) => variable.name === "label");
        return label >= 0 ? String(this.machine.variable(i, label)) : "";
    }

    private drawWord(c: CanvasRenderingContext2D, g: Geometry, x: number, y: number, word: string): void {
        const size = Math.min(g.disc * 0.86, (g.disc * 2.6) / word.length);
        if (size < 7 || word === "") return;
        c.font = `600 ${Math.round(Math.min(size, 16))}px ${FONT}`;
        c.textAlign = "center";
        c.textBaseline = "middle";
        c.fillText(word, x, y + 0.5);
    }

    private drawLanes(c: CanvasRenderingContext2D, g: Geometry, i: number, marks: number): void {
        const angle = this.angle(i);
        if (marks & MARK.signal) {
            const [x, y] = this.at(g, angle, g.signalLane);
            signal(c, x, y, g.signal, angle - quarterAhead(marks));
        }
        if (marks & BULLET) {
            const [x, y] = this.at(g, angle, g.bulletLane);
            bullet(c, x, y, g.bullet, angle + quarterAhead(marks), (marks & MARK.live) !== 0);
        }
    }

    /** What of agent i is not drawn in its place because it is on its way. */
    private withoutMoving(i: number, marks: Uint8Array, move: Flash | undefined): number {
        if (!move?.before) return marks[i];
        const { l, r, lBefore, rBefore } = this.meeting(move, marks);
        if (i === r && !(rBefore & BULLET)) return marks[i] & ~BULLET;
        if (i === l && !(lBefore & MARK.signal)) return marks[i] & ~MARK.signal;
        return marks[i];
    }

    /** The two agents of a move, the one behind first, and their marks before it. On an undirected
     *  ring either of them may be the initiator. */
    private meeting(move: Flash, marks: Uint8Array) {
        const [a, b] = this.machine.ends(move.arc);
        const [aBefore, bBefore] = move.before!;
        const toTheRight = a === move.arc % this.machine.n;
        return toTheRight === !(marks[a] & MARK.leftward)
            ? { l: a, r: b, lBefore: aBefore, rBefore: bBefore }
            : { l: b, r: a, lBefore: bBefore, rBefore: aBefore };
    }

    private drawMove(c: CanvasRenderingContext2D, g: Geometry, move: Flash, marks: Uint8Array,
        now: number): void {
        const { l, r, lBefore, rBefore } = this.meeting(move, marks);
        const t = clamp((now - move.at) / move.duration, 0, 1);
        const eased = t * t * (3 - 2 * t);
        const from = this.angle(l);
        let way = this.angle(r) - from;
        if (way > Math.PI) way -= 2 * Math.PI;
        if (way < -Math.PI) way += 2 * Math.PI;
        const arrived = !(rBefore & BULLET) ? marks[r] & BULLET : 0;
        const gone = !(marks[l] & BULLET) ? lBefore & BULLET : 0;
        const flying = arrived || gone;
        if (flying) {
            const angle = from + way * eased;
            const [x, y] = this.at(g, angle, g.bulletLane);
            if (!arrived) c.globalAlpha = 1 - eased * 0.8;
            bullet(c, x, y, g.bullet, angle + (way > 0 ? 1 : -1) * Math.PI / 2,
                (flying & MARK.live) !== 0);
            c.globalAlpha = 1;
        }
        if (!(lBefore & MARK.signal) && marks[l] & MARK.signal) {
            const angle = from + way * (1 - eased);
            const [x, y] = this.at(g, angle, g.signalLane);
            signal(c, x, y, g.signal, angle - (way > 0 ? 1 : -1) * Math.PI / 2);
        }
    }

    /** How far from the centre the middle of a leader's crown is. */
    private crownLane(g: Geometry, marks: number): number {
        const radius = Math.max(g.disc, 4);
        return g.radius + radius + (marks & MARK.shield ? shieldRoom(radius) : 2) + 2 + g.crown * 0.45;
    }

    /** The index of an agent stands outside, and clear of its crown, which is upright: how far that
     *  is depends on the direction. */
    private labelLane(g: Geometry, angle: number, marks: number): number {
        if (!(marks & MARK.leader)) return g.label;
        const away = Math.min((g.crown * 0.54 + 9) / Math.abs(Math.cos(angle)),
            (g.crown * 0.39 + 7) / Math.abs(Math.sin(angle)));
        return Math.max(g.label, this.crownLane(g, marks) + away);
    }

    private drawLabels(c: CanvasRenderingContext2D, g: Geometry, width: number, marks: Uint8Array): void {
        const n = this.machine.n;
        const every = [1, 2, 5, 10, 20, 50, 100].find((k) => n / k <= MOST_LABELS) ?? 100;
        c.fillStyle = palette().muted;
        c.font = `500 11px ${FONT}`;
        c.textAlign = "center";
        c.textBaseline = "middle";
        for (let i = 0; i < n; i += every) {
            if (i > 0 && n - i < every / 2) continue;
            const [x, y] = this.at(g, this.angle(i), this.labelLane(g, this.angle(i), marks[i]));
            const half = c.measureText(String(i)).width / 2 + 1;
            c.fillText(String(i), clamp(x, half, width - half), y);
        }
    }

    private drawBarrier(c: CanvasRenderingContext2D, g: Geometry, i: number): void {
        const angle = this.angle(i + 0.5), [x, y] = this.at(g, angle, g.radius);
        barrier(c, x, y, Math.max(8, g.disc * 1.8), angle);
    }

    /** A thick broken ring round what keeps it out of the next set. */
    private drawObstacles(c: CanvasRenderingContext2D, g: Geometry): void {
        const missing = this.machine.missing;
        this.machine.obstacles().forEach((flag, i) => {
            const [x, y] = this.at(g, this.angle(i), g.radius);
            missing.filter((k) => flag & (1 << k)).forEach((k, out) =>
                obstacle(c, x, y, g.disc + shieldRoom(g.disc) + 4 * out, k));
        });
    }

    private drawHalo(c: CanvasRenderingContext2D, g: Geometry, agent: number, width: number): void {
        const [x, y] = this.at(g, this.angle(agent), g.radius);
        c.beginPath();
        c.arc(x, y, g.disc + 7, 0, 2 * Math.PI);
        c.strokeStyle = palette().ink;
        c.lineWidth = width;
        c.setLineDash([4, 3]);
        c.stroke();
        c.setLineDash([]);
    }

    /** Is there room between two agents to point at their arc? */
    get arcsAreWide(): boolean {
        if (this.isBand) return false;
        const g = this.here;
        return (2 * Math.PI * g.radius) / this.machine.n - 2 * g.disc >= 7;
    }

    /** Puts the words in the middle where nothing is drawn; whether there is room for all of them. */
    placeCentre(words: HTMLElement): boolean {
        const { width, height } = sizeOf(this.canvas);
        if (this.isBand || width === 0) {
            words.removeAttribute("style");
            return width >= LEAST_LINE;
        }
        const g = this.geometry(width, height);
        const room = Math.max(60, 2 * (g.signalLane - g.signal));
        const px = (value: number) => `${value * unit()}px`;
        const style = `left:${px(g.cx - room / 2)};top:${px(g.cy - room / 2)};width:${px(room)};height:${px(room)}`;
        if (words.getAttribute("style") !== style) words.setAttribute("style", style);
        return room >= LEAST_ROOM;
    }

    /** The agent or the arc at a point of the canvas; -1 for none. */
    hitAt(px: number, py: number): { agent: number; arc: number } {
        const { width, height } = sizeOf(this.canvas), [x, y] = [px / unit(), py / unit()];
        const n = this.machine.n;
        if (this.isBand) return { agent: bandAgentAt(width, height, n, x, y), arc: -1 };
        const g = this.geometry(width, height);
        const away = Math.hypot(x - g.cx, y - g.cy);
        const inner = g.signalLane - 12, outer = g.label + 8;
        if (away < inner || away > outer) return { agent: -1, arc: -1 };
        const turn = (Math.atan2(y - g.cy, x - g.cx) + Math.PI / 2 + 2 * Math.PI) % (2 * Math.PI);
        const place = (turn / (2 * Math.PI)) * n;
        const nearest = Math.round(place) % n;
        const spacing = (2 * Math.PI * g.radius) / n;
        const aside = Math.abs(place - Math.round(place)) * spacing;
        const onTrack = Math.abs(away - g.radius) < Math.max(g.disc, 8);
        const isArc = this.arcsAreWide && aside > g.disc && onTrack;
        return isArc ? { agent: -1, arc: Math.floor(place) % n } : { agent: nearest, arc: -1 };
    }
}
