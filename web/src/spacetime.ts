// SPDX-License-Identifier: MIT
//
// The space-time diagram: agents across, steps down, the newest row at the foot. Where several
// agents share a column it shows the foremost of them, a leader before everything else, so that no
// leader is lost.
import { FONT, sheetOf, short } from "./canvas";
import { MARK, type Machine } from "./machine";
import { channels, faint, palette, shadeOf, type Colour } from "./theme";

interface Row { step: number; cells: Uint8Array; label?: string }

const ROW = 2, MOST_ROWS = 700, MOST_COLUMNS = 480, SHADES = 16;
/** Kinds of cells, foremost last; below them are the shades of dist. */
const SIGNAL = SHADES, SHIELD = SHADES + 1, DUMMY = SHADES + 2, LIVE = SHADES + 3,
    LEADER = SHADES + 4, SHIELDED = SHADES + 5;

function kindOf(marks: number, dist: number, shades: number): number {
    if (marks & MARK.leader) return marks & MARK.shield ? SHIELDED : LEADER;
    if (marks & MARK.live) return LIVE;
    if (marks & MARK.dummy) return DUMMY;
    if (marks & MARK.shield) return SHIELD;
    if (marks & MARK.signal) return SIGNAL;
    return shades > 1 ? Math.min(SHADES - 1, Math.floor((dist / (shades - 1)) * (SHADES - 1))) : 0;
}

export class SpaceTime {
    private rows: Row[] = [];
    private image = document.createElement("canvas");
    /** Steps from one row to the next. */
    rowSteps = 1;

    constructor(private readonly canvas: HTMLCanvasElement, private readonly machine: Machine) {}

    begin(): void {
        this.rows = [];
        this.rowSteps = Math.max(1, Math.round(this.machine.n / 8));
    }

    /** At a pace of so many steps a frame, two or three rows a frame are enough. */
    follow(steps: number): void {
        const least = Math.max(1, Math.round(this.machine.n / 8));
        this.rowSteps = Math.max(least, Math.ceil(steps / 2.5));
    }

    get nextRow(): number {
        const last = this.rows.at(-1);
        return last ? last.step + this.rowSteps : 0;
    }

    /** Adds a row if one is due, or if there is something to tell. */
    tick(label?: string): void {
        const step = this.machine.step;
        if (step < this.nextRow && !label) return;
        this.rows.push({ step, cells: this.snapshot(), label });
        if (this.rows.length > MOST_ROWS) this.rows.splice(0, this.rows.length - MOST_ROWS);
    }

    private snapshot(): Uint8Array {
        const marks = this.machine.marks(), shade = this.machine.shade(), shades = this.machine.shades;
        const n = marks.length, columns = Math.min(n, MOST_COLUMNS);
        const cells = new Uint8Array(columns);
        for (let i = 0; i < n; i++) {
            const column = Math.floor((i * columns) / n);
            cells[column] = Math.max(cells[column], kindOf(marks[i], shade[i], shades));
        }
        return cells;
    }

    private colours(): Colour[] {
        const p = palette();
        const shades = Array.from({ length: SHADES }, (_, i) => shadeOf(i / (SHADES - 1)).colour);
        return [...shades, faint(p.signal), faint(p.shield), channels(p.dummy), channels(p.live),
            channels(p.leader), channels(p.shield)];
    }

    draw(): void {
        const { c, width, height } = sheetOf(this.canvas);
        if (width === 0 || this.rows.length === 0) return;
        const left = 38, room = height - 16;
        const rows = this.rows.slice(-Math.floor(room / ROW));
        const columns = rows[0].cells.length;
        this.paint(rows, columns);
        c.imageSmoothingEnabled = false;
        c.drawImage(this.image, left, 16, width - left, rows.length * ROW);
        this.drawAxes(c, rows, left, width);
    }

    private paint(rows: Row[], columns: number): void {
        this.image.width = columns;
        this.image.height = rows.length;
        const c = this.image.getContext("2d")!;
        const data = c.createImageData(columns, rows.length);
        const colours = this.colours();
        rows.forEach((row, y) => row.cells.forEach((cell, x) => {
            const [r, g, b] = colours[cell];
            const at = 4 * (y * columns + x);
            data.data[at] = r;
            data.data[at + 1] = g;
            data.data[at + 2] = b;
            data.data[at + 3] = 255;
        }));
        c.putImageData(data, 0, 0);
    }

    private drawAxes(c: CanvasRenderingContext2D, rows: Row[], left: number, width: number): void {
        c.font = `500 10.5px ${FONT}`;
        c.fillStyle = palette().muted;
        c.textBaseline = "middle";
        c.textAlign = "right";
        const spacing = 44 / ROW;
        for (let i = 0; i < rows.length; i += spacing)
            c.fillText(short(rows[i].step), left - 6, 16 + i * ROW + (i === 0 ? 4 : 0));
        const n = this.machine.n;
        c.textAlign = "left";
        c.fillText("u\u2080", left, 7);
        c.textAlign = "right";
        c.fillText(`u_${n - 1}`, width, 7);
        this.drawMarks(c, rows, left, width);
    }

    /** A line across and a label for each row with something to tell; labels that would touch stand
     * side by side. */
    private drawMarks(c: CanvasRenderingContext2D, rows: Row[], left: number, width: number): void {
        c.font = `600 10px ${FONT}`;
        let right = width, above = -Infinity;
        rows.forEach((row, i) => {
            if (!row.label) return;
            const line = 16 + i * ROW;
            const y = Math.min(line, 16 + rows.length * ROW - 7);
            c.fillStyle = palette().ink;
            c.fillRect(left, line, width - left, 1);
            const w = c.measureText(row.label).width + 8;
            right = y - above < 14 ? right : width;
            c.fillStyle = palette().surface;
            c.fillRect(right - w, y - 7, w, 14);
            c.fillStyle = palette().ink;
            c.fillText(row.label, right - 4, y + 0.5);
            above = y;
            right -= w;
        });
    }
}
