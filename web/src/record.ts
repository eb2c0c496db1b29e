// SPDX-License-Identifier: MIT
//
// What is known of an execution so far: rows, evenly spaced in steps, with the gauges and a line of
// the space-time diagram each; and landmarks, the steps at which something happened that one may
// want to see again. Both are bounded: rows are thinned and their spacing doubled; landmarks beyond
// the last that fits are counted. Everything is in order of steps.
import { MARK, type Machine } from "./machine";

/** A change is a leader made or unmade; an event or a null interaction is told when steps are shown
 *  one by one. */
export type Kind = "start" | "change" | "event" | "null" | "hit" | "deed";

export interface Landmark {
    step: number;
    kind: Kind;
    lines: string[];
    /** What it is called in the pictures; a change of leaders has none. */
    label?: string;
}

export interface Row {
    step: number;
    gauges: number[];
    cells: Uint8Array;
    /** It stands beside a landmark and is not thinned out. */
    kept: boolean;
}

const MOST_ROWS = 640, MOST_COLUMNS = 480, MOST_LANDMARKS = 20000;

/** Kinds of cells, foremost last; below them are the shades of dist. */
export const SHADES = 16;
export const CELL = {
    signal: SHADES, shield: SHADES + 1, dummy: SHADES + 2, live: SHADES + 3, leader: SHADES + 4,
    shielded: SHADES + 5,
    /** From here on: how many leaders a crowded cell has, in as many levels as there are shades. */
    crowd: SHADES + 6,
} as const;

/** With more agents in a cell than this only leaders count: something is always foremost then. */
const CROWD = 4;

function cellOf(marks: number, dist: number, shades: number): number {
    if (marks & MARK.leader) return marks & MARK.shield ? CELL.shielded : CELL.leader;
    if (marks & MARK.live) return CELL.live;
    if (marks & MARK.dummy) return CELL.dummy;
    if (marks & MARK.shield) return CELL.shield;
    if (marks & MARK.signal) return CELL.signal;
    return shades > 1 ? Math.min(SHADES - 1, Math.floor((dist / (shades - 1)) * (SHADES - 1))) : 0;
}

/** How many leaders each cell has, on a scale of logarithms; one is never lost. */
function crowdedCells(marks: Uint8Array, columns: number): Uint8Array {
    const leaders = new Uint32Array(columns);
    for (let i = 0; i < marks.length; i++)
        if (marks[i] & MARK.leader) leaders[Math.floor((i * columns) / marks.length)]++;
    const most = Math.log1p(marks.length / columns);
    return Uint8Array.from(leaders, (count) => count === 0 ? CELL.crowd
        : CELL.crowd + Math.max(4, Math.min(SHADES - 1, Math.round((Math.log1p(count) / most) * (SHADES - 1)))));
}

/** The ring as a line of cells. Where a few agents share a cell it shows the foremost of them, a
 *  leader before everything else, so that no leader is lost. */
function cellsOf(machine: Machine): Uint8Array {
    const marks = machine.marks(), shade = machine.shade(), shades = machine.shades;
    const n = marks.length, columns = Math.min(n, MOST_COLUMNS);
    if (n / columns > CROWD) return crowdedCells(marks, columns);
    const cells = new Uint8Array(columns);
    for (let i = 0; i < n; i++) {
        const column = Math.floor((i * columns) / n);
        cells[column] = Math.max(cells[column], cellOf(marks[i], shade[i], shades));
    }
    return cells;
}

function isStation(landmark: Landmark): boolean {
    return landmark.kind !== "event" && landmark.kind !== "null";
}

export class Record {
    rows: Row[] = [];
    landmarks: Landmark[] = [];
    /** Another number whenever something that was known is no more. */
    edition = 0;
    /** The gauges where the execution stands, between two rows. */
    private tail: { step: number; gauges: number[] } | null = null;
    /** Landmarks that found no room. */
    untold = 0;
    /** Steps from one row to the next. */
    spacing = 1;

    constructor(private readonly machine: Machine) {}

    begin(): void {
        this.edition++;
        this.rows = [];
        this.tail = null;
        this.landmarks = [];
        this.untold = 0;
        this.spacing = Math.max(1, Math.round(this.machine.n / 8));
    }

    /** The gauges along the execution, up to its very end. */
    get gauges(): { step: number; gauges: number[] }[] {
        return this.tail && this.tail.step > this.last ? [...this.rows, this.tail] : this.rows;
    }

    get last() { return this.rows.at(-1)?.step ?? 0; }

    /** The step at which a row is due. */
    get nextRow() {
        return this.rows.length === 0 ? 0 : this.last - (this.last % this.spacing) + this.spacing;
    }

    /** Adds the ring as it stands, if that is due or beside a landmark. */
    look(kept = false): void {
        const step = this.machine.step;
        if (!kept && step < this.nextRow) {
            this.tail = { step, gauges: this.machine.gauges() };
            return;
        }
        this.rows.push({ step, gauges: this.machine.gauges(), cells: cellsOf(this.machine), kept });
        if (this.rows.length > MOST_ROWS) this.thin();
    }

    private thin(): void {
        this.spacing *= 2;
        this.rows = this.rows.filter((row, i) => row.kept || i === 0 || row.step % this.spacing === 0);
        if (this.rows.length > MOST_ROWS) // many landmarks: every other one then
            this.rows = this.rows.filter((_, i) => i % 2 === 0);
    }

    /** Landmarks may come a little out of order: a hit is known before the changes of its batch. */
    note(landmark: Landmark): void {
        if (this.landmarks.length >= MOST_LANDMARKS) {
            this.untold += landmark.kind === "change" ? 1 : 0;
            return;
        }
        const isAfter = (l: Landmark) => l.step > landmark.step || // a hit follows the event that decides it
            (l.step === landmark.step && !isStation(landmark) && (l.kind === "hit" || l.kind === "deed"));
        let at = this.landmarks.length;
        while (at > 0 && isAfter(this.landmarks[at - 1])) at--;
        this.landmarks.splice(at, 0, landmark);
    }

    /** A single step, told. Of several in a row that changed nothing the last is enough. */
    noteStep(landmark: Landmark): void {
        const before = this.landmarks.findLastIndex((l) => l.step <= landmark.step);
        if (this.landmarks[before]?.kind === "null") this.landmarks.splice(before, 1);
        if (this.landmarks.some((l) => l.step === landmark.step && (l.kind === "change" || l.kind === "event"))) return;
        this.note(landmark);
    }

    /** Forgets everything after `step`: from here on it went otherwise. */
    cut(step: number): void {
        this.edition++;
        this.tail = null;
        this.rows = this.rows.filter((row) => row.step <= step);
        this.landmarks = this.landmarks.filter((landmark) => landmark.step <= step);
        this.untold = 0;
    }

    /** The next landmark after a step, or the last before it; told steps do not count. */
    landmarkAfter(step: number): Landmark | undefined {
        return this.landmarks.find((l) => l.step > step && isStation(l));
    }
    landmarkBefore(step: number): Landmark | undefined {
        return this.landmarks.findLast((l) => l.step < step && isStation(l));
    }

    /** The last row at or before a step. */
    rowAt(step: number): Row {
        let low = 0, high = this.rows.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.rows[middle].step <= step) low = middle;
            else high = middle - 1;
        }
        return this.rows[low];
    }
}
