// SPDX-License-Identifier: MIT
//
// The timeline: leaders and the protocol's gauges against steps, with marks at hits and faults.
// Counts are on a scale of log(1 + count), so that one leader and two are as far apart as 50 and 100.
import { drawName, FONT, grouped, scrub, sheetOf, short, sizeOf, unit } from "./canvas";
import { make, makeButton } from "./dom";
import type { Execution } from "./execution";
import { named } from "./spacetime";
import { palette, type Palette } from "./theme";

/** Gauges of a protocol that are shown at first, besides the known ones. */
const SHOWN = 3;
/** How a gauge is drawn, by name; others follow in the order of OTHER. */
const KNOWN: Record<string, { colour: keyof Palette; dash: number[]; shown: boolean }> = {
    leaders: { colour: "leaderEdge", dash: [], shown: true },
    live_bullets: { colour: "live", dash: [], shown: true },
    dummy_bullets: { colour: "dummy", dash: [2, 3], shown: true },
    signals: { colour: "signal", dash: [6, 2], shown: false },
    insecure_agents: { colour: "insecure", dash: [7, 3], shown: true },
    maximal_dist: { colour: "muted", dash: [1, 3], shown: false },
};
const OTHER: (keyof Palette)[] = ["insecure", "signal", "shield", "accent", "muted"];

interface Box { left: number; right: number; top: number; bottom: number }

export class Timeline {
    private names: string[] = [];
    private hidden = new Set<string>();
    private pointer = -1;
    /** A second execution whose leaders are shown on the same axes. */
    beside: Execution | null = null;

    constructor(private readonly canvas: HTMLCanvasElement, private readonly legend: HTMLElement,
        private readonly readout: HTMLElement, private readonly execution: Execution,
        private readonly redraw: () => void, goTo: (step: number) => void) {
        scrub(canvas, (event) => goTo(this.stepAt(event.offsetX / unit())));
        canvas.addEventListener("pointermove", (event) => { this.pointer = event.offsetX / unit(); redraw(); });
        canvas.addEventListener("pointerleave", () => { this.pointer = -1; redraw(); });
    }

    begin(gauges: string[]): void {
        const names = ["leaders", ...gauges];
        if (names.join() === this.names.join()) return;
        this.names = names;
        this.hidden = new Set(names.filter((name, i) => KNOWN[name] ? !KNOWN[name].shown : i > SHOWN));
        this.buildLegend();
    }

    private get box(): Box {
        const { width, height } = sizeOf(this.canvas);
        return { left: 30, right: width - 8, top: 16, bottom: height - 20 };
    }

    /** How far the axis goes: to the end of what is known. */
    private get end() { return this.execution.furthest; }

    private stepAt(x: number): number {
        const { left, right } = this.box;
        return Math.round(Math.min(1, Math.max(0, (x - left) / (right - left))) * this.end);
    }

    private look(name: string): { colour: keyof Palette; dash: number[] } {
        const known = KNOWN[name], place = this.names.indexOf(name) - 1;
        return { colour: known?.colour ?? OTHER[place % OTHER.length], dash: known?.dash ?? (place % 2 ? [5, 3] : []) };
    }

    private buildLegend(): void {
        this.legend.replaceChildren(...this.names.map((name) => {
            const button = makeButton("", () => {
                if (!this.hidden.delete(name)) this.hidden.add(name);
                press();
                this.redraw();
            }, "series");
            const press = () => button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
            const { colour, dash } = this.look(name), style = ["solid", "dotted", "dashed"][dash.length === 0 ? 0 : dash[0] < 3 ? 1 : 2];
            const key = make("i", "key");
            key.style.borderTop = `2px ${style} var(--${colour})`;
            button.append(key, name.replaceAll("_", " "));
            press();
            return button;
        }));
    }

    draw(): void {
        const { c, width } = sheetOf(this.canvas);
        const { record, furthest, machine } = this.execution;
        if (width === 0 || record.rows.length === 0) return;
        const box = this.box, last = Math.max(1, this.end);
        const shown = this.names.map((name, i) => ({ name, i })).filter((s) => !this.hidden.has(s.name));
        let most = 3;
        for (const row of record.rows)
            for (const s of shown) most = Math.max(most, row.gauges[s.i]);
        for (const row of this.beside?.record.rows ?? []) most = Math.max(most, row.gauges[0]);
        const x = (step: number) => box.left + ((box.right - box.left) * step) / last;
        const y = (value: number) =>
            box.bottom - ((box.bottom - box.top) * Math.log1p(value)) / Math.log1p(most);
        this.drawAxes(c, box, last, most, x, y);
        this.drawMarks(c, box, x);
        for (const { name, i } of shown.reverse()) this.drawSeries(c, name, i, x, y);
        if (this.beside) this.drawBeside(c, this.beside, x, y);
        this.drawNow(c, box, x(machine.step));
        this.tellPointer(c, box, x);
        this.canvas.setAttribute("aria-valuemax", String(furthest));
        this.canvas.setAttribute("aria-valuenow", String(machine.step));
        this.canvas.setAttribute("aria-valuetext", `step ${grouped(machine.step)} of ${grouped(furthest)}`);
    }

    private drawNow(c: CanvasRenderingContext2D, box: Box, x: number): void {
        c.fillStyle = palette().accent;
        c.fillRect(x - 0.75, box.top, 1.5, box.bottom - box.top);
        c.beginPath();
        c.arc(x, box.bottom, 4.5, 0, 2 * Math.PI);
        c.fill();
    }

    private drawAxes(c: CanvasRenderingContext2D, box: Box,
        last: number, most: number, x: (s: number) => number, y: (v: number) => number): void {
        c.font = `500 10.5px ${FONT}`;
        c.fillStyle = palette().muted;
        c.strokeStyle = palette().line;
        c.lineWidth = 1;
        c.textAlign = "right";
        c.textBaseline = "middle";
        let above = Infinity;
        for (const value of [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000]) {
            if (value > most || above - y(value) < 13) continue;
            above = y(value);
            c.beginPath();
            c.moveTo(box.left, y(value));
            c.lineTo(box.right, y(value));
            c.stroke();
            c.fillText(short(value), box.left - 5, y(value));
        }
        const unit = 10 ** Math.floor(Math.log10(last));
        const tick = unit * (last / unit > 5 ? 2 : last / unit > 2 ? 1 : 0.5);
        c.textBaseline = "top";
        for (let step = 0; step <= last; step += Math.max(1, tick)) {
            c.textAlign = x(step) > box.right - 14 ? "right" : "center";
            c.fillText(short(step), x(step), box.bottom + 6);
        }
    }

    private drawMarks(c: CanvasRenderingContext2D, box: Box, x: (s: number) => number): void {
        let free = -Infinity;
        c.textBaseline = "bottom";
        c.font = `600 10px ${FONT}`;
        const beside = this.beside ? named(this.beside.record.landmarks).map((mark) =>
            ({ ...mark, label: `${this.beside!.request.protocol}: ${mark.label}` })) : [];
        const marks = [...named(this.execution.record.landmarks), ...beside].sort((a, b) => a.step - b.step);
        for (const mark of marks.filter(({ step }) => step <= this.end)) {
            const at = x(mark.step);
            c.strokeStyle = c.fillStyle = mark.kind === "hit" ? palette().accent : palette().live;
            c.setLineDash(mark.kind === "hit" ? [] : [3, 3]);
            c.globalAlpha = 0.7;
            c.lineWidth = 1.25;
            c.beginPath();
            c.moveTo(at, box.top);
            c.lineTo(at, box.bottom);
            c.stroke();
            c.globalAlpha = 1;
            c.setLineDash([]);
            const width = c.measureText(mark.label).width;
            const from = Math.min(Math.max(at - width / 2, box.left - 2, free), box.right - width);
            if (from < free || from > at + 30) continue;
            drawName(c, mark.label, from, box.top - 2, "left");
            free = from + width + 6;
        }
    }

    private drawSeries(c: CanvasRenderingContext2D, name: string, index: number,
        x: (s: number) => number, y: (v: number) => number): void {
        const { colour, dash } = this.look(name);
        c.strokeStyle = palette()[colour];
        c.lineWidth = index === 0 ? 2.4 : 1.5;
        c.setLineDash(dash);
        this.drawStairs(c, this.execution.record.gauges, index, x, y);
    }

    /** The leaders of the execution beside it, broken, with its name at the end. */
    private drawBeside(c: CanvasRenderingContext2D, beside: Execution, x: (s: number) => number,
        y: (v: number) => number): void {
        const rows = beside.record.gauges.filter((row) => row.step <= this.execution.furthest);
        c.strokeStyle = c.fillStyle = palette().accent;
        c.lineWidth = 2.4;
        c.setLineDash([5, 3]);
        this.drawStairs(c, rows, 0, x, y);
        c.font = `600 10.5px ${FONT}`;
        c.textBaseline = "bottom";
        const last = rows.at(-1), name = `leaders of ${beside.request.protocol}`;
        if (!last) return;
        const foot = y(last.gauges[0]) - 3, width = c.measureText(name).width + 6;
        c.fillStyle = palette().surface;
        c.fillRect(this.box.right - width, foot - 12, width, 12);
        c.fillStyle = palette().accent;
        drawName(c, name, this.box.right, foot, "right");
    }

    private drawStairs(c: CanvasRenderingContext2D, rows: { step: number; gauges: number[] }[], index: number,
        x: (s: number) => number, y: (v: number) => number): void {
        let before = NaN;
        c.beginPath();
        for (const row of rows) {
            const at = x(row.step), value = y(row.gauges[index]);
            if (!Number.isNaN(before)) c.lineTo(at, before);
            c.lineTo(at, value);
            before = value;
        }
        c.lineJoin = "round";
        c.stroke();
        c.setLineDash([]);
    }

    private tellPointer(c: CanvasRenderingContext2D, box: Box, x: (s: number) => number): void {
        if (this.pointer < box.left) {
            this.readout.textContent = "";
            return;
        }
        const row = this.execution.record.rowAt(this.stepAt(this.pointer));
        c.strokeStyle = palette().ink;
        c.lineWidth = 1;
        c.beginPath();
        c.moveTo(x(row.step), box.top);
        c.lineTo(x(row.step), box.bottom);
        c.stroke();
        this.readout.textContent = `Step ${grouped(row.step)}: ` + this.names
            .map((name, i) => [name, row.gauges[i]] as const)
            .filter(([name]) => !this.hidden.has(name))
            .map(([name, value]) => `${grouped(value)} ${name.replaceAll("_", " ")}`).join(", ");
    }
}
