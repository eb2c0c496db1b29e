// SPDX-License-Identifier: MIT
//
// The space-time diagram: agents across, steps down, the whole of what is known. Each line of it is
// the last row of the record at or before its step; a line across marks the present step.
import { drawName, FONT, scrub, sheetOf, short, sizeOf, unit } from "./canvas";
import type { Execution } from "./execution";
import { SHADES, type Landmark } from "./record";
import { between, channels, faint, palette, shadeOf, type Colour } from "./theme";

/** Height of a line, in pixels: the least, and the most that a short execution has. */
const LINE = 2, TALLEST = 10;
/** The room round the picture; what happened has its name on the right. */
const TOP = 16, LEFT = 38, RIGHT = 52;

function colours(): Colour[] {
    const p = palette();
    const shades = Array.from({ length: SHADES }, (_, i) => shadeOf(i / (SHADES - 1)).colour);
    const crowd = Array.from({ length: SHADES }, (_, i) => between(channels(p.near), channels(p.leader), i / (SHADES - 1)));
    return [...shades, faint(p.signal), faint(p.shield), channels(p.dummy), channels(p.live),
        channels(p.leader), channels(p.shield), ...crowd];
}

/** Landmarks with a name, those of one step as one. */
export function named(landmarks: Landmark[]): { step: number; label: string; kind: string }[] {
    const marks: { step: number; label: string; kind: string }[] = [];
    for (const { step, label, kind } of landmarks) {
        if (!label) continue;
        const last = marks.at(-1);
        if (last && last.step === step) last.label += ` ${label}`;
        else marks.push({ step, label, kind });
    }
    return marks;
}

export class SpaceTime {
    private image = document.createElement("canvas");
    private painted = "";
    /** Is it what its canvas shows? */
    isOpen = true;

    constructor(private readonly canvas: HTMLCanvasElement, private readonly execution: Execution,
        goTo: (step: number) => void) {
        scrub(canvas, (event) => { if (this.isOpen) goTo(this.stepAt(event.offsetY / unit())); });
    }

    /** How many lines there are, the steps from one to the next, and their height. */
    private get scale() {
        const { record, furthest } = this.execution;
        const height = sizeOf(this.canvas).height - TOP;
        const room = Math.max(1, Math.floor(height / LINE));
        const steps = Math.max(record.spacing, Math.ceil((furthest + 1) / room));
        const lines = Math.min(room, Math.floor(furthest / steps) + 1);
        return { lines, steps, line: Math.max(LINE, Math.min(TALLEST, Math.floor(height / lines))) };
    }

    private stepAt(y: number): number {
        const { line, steps } = this.scale;
        const step = Math.round(((y - TOP) / line) * steps);
        return Math.min(Math.max(0, step), this.execution.furthest);
    }

    draw(): void {
        const { c, width: all } = sheetOf(this.canvas), width = all - RIGHT;
        const { lines, steps, line } = this.scale;
        if (all === 0 || this.execution.record.rows.length === 0) return;
        this.paint(lines, steps);
        c.imageSmoothingEnabled = false;
        c.drawImage(this.image, LEFT, TOP, width - LEFT, lines * line);
        const y = (step: number) => TOP + (step / steps) * line;
        this.drawAxes(c, width, lines, y, steps);
        this.drawMarks(c, width, y);
        this.drawNow(c, width, y(this.execution.machine.step));
    }

    /** Anew only if there is something new. */
    private paint(lines: number, steps: number): void {
        const { record, furthest } = this.execution;
        const key = [record.edition, lines, steps, furthest, record.rows.length, palette().page].join();
        if (key === this.painted) return;
        this.painted = key;
        const columns = record.rows[0].cells.length;
        this.image.width = columns;
        this.image.height = lines;
        const c = this.image.getContext("2d")!;
        const data = c.createImageData(columns, lines);
        const pixels = new Uint32Array(data.data.buffer);
        const ink = Uint32Array.from(colours(), ([r, g, b]) => 0xff000000 + (b << 16) + (g << 8) + r);
        for (let y = 0; y < lines; y++)
            record.rowAt(y * steps).cells.forEach((cell, x) => { pixels[y * columns + x] = ink[cell]; });
        c.putImageData(data, 0, 0);
    }

    private drawAxes(c: CanvasRenderingContext2D, width: number, lines: number, y: (step: number) => number,
        steps: number): void {
        c.font = `500 10.5px ${FONT}`;
        c.fillStyle = palette().muted;
        c.textBaseline = "middle";
        c.textAlign = "right";
        const every = Math.ceil(44 / (y(steps) - y(0)));
        for (let i = 0; i < lines; i += every)
            c.fillText(short(i * steps), LEFT - 6, y(i * steps) + (i === 0 ? 4 : 0));
        drawName(c, "u_0", LEFT, 7, "left");
        drawName(c, `u_${this.execution.machine.n - 1}`, width, 7, "right");
    }

    /** A line across for each landmark with a name, and the name beside it where there is room. */
    private drawMarks(c: CanvasRenderingContext2D, width: number, y: (step: number) => number): void {
        let free = TOP;
        c.font = `600 10px ${FONT}`;
        c.fillStyle = palette().ink;
        for (const { step, label } of named(this.execution.record.landmarks)) {
            c.globalAlpha = 0.75;
            c.fillRect(LEFT, y(step), width - LEFT, 1);
            c.globalAlpha = 1;
            for (const [i, word] of label.split(" ").entries()) {
                const at = Math.max(free, y(step) + (i === 0 ? 0 : 7));
                if (at > y(step) + 30) break;
                drawName(c, word, width + 5, at, "left");
                free = at + 12;
            }
        }
    }

    private drawNow(c: CanvasRenderingContext2D, width: number, y: number): void {
        c.fillStyle = palette().accent;
        c.fillRect(LEFT, y - 0.5, width - LEFT, 1.5);
        c.beginPath();
        c.moveTo(LEFT, y);
        c.lineTo(LEFT - 6, y - 4);
        c.lineTo(LEFT - 6, y + 4);
        c.fill();
    }
}
