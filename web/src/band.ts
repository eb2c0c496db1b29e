// SPDX-License-Identifier: MIT
//
// The band: a ring too large to draw as one, cut into rows of cells that read like lines of text.
// A cell shows the foremost thing of its agent; leaders stand taller than the rest.
import type { Sheet } from "./canvas";
import { MARK } from "./machine";
import { faint, palette, shadeOf } from "./theme";

interface Layout { columns: number; cell: number; height: number; top: number }

function layoutOf(width: number, height: number, n: number): Layout {
    let columns = 20;
    while (columns < width) {
        const cell = width / columns;
        if (Math.ceil(n / columns) * cell * 2.2 <= height) break;
        columns += 20;
    }
    const cell = width / columns;
    const rows = Math.ceil(n / columns);
    const rowHeight = Math.min(cell * 2.2, height / rows);
    return { columns, cell, height: rowHeight, top: (height - rows * rowHeight) / 2 };
}

function colourOf(marks: number, part: number): string {
    const colours = palette();
    if (marks & MARK.leader) return colours.leader;
    if (marks & MARK.live) return colours.live;
    if (marks & MARK.dummy) return colours.dummy;
    if (marks & MARK.signal) return `rgb(${faint(colours.signal).join(" ")})`;
    return shadeOf(part).css;
}

export function drawBand(sheet: Sheet, marks: Uint8Array, shade: Uint32Array, shades: number,
    selected: number, hovered: number): void {
    const { c, width, height } = sheet;
    const n = marks.length;
    const at = layoutOf(width, height, n);
    const gap = at.cell > 4 ? 1 : 0;
    for (let i = 0; i < n; i++) {
        const x = (i % at.columns) * at.cell;
        const y = at.top + Math.floor(i / at.columns) * at.height;
        const leads = (marks[i] & MARK.leader) !== 0;
        const h = at.height * (leads ? 0.94 : 0.6);
        c.fillStyle = colourOf(marks[i], shades > 1 ? Math.min(1, shade[i] / (shades - 1)) : 0);
        c.fillRect(x, y + at.height * 0.97 - h, at.cell - gap, h);
        if (marks[i] & MARK.shield) {
            c.fillStyle = palette().shield;
            c.fillRect(x, y + at.height * 0.97 - h, at.cell - gap, Math.max(1.5, h * 0.22));
        }
    }
    for (const agent of [hovered, selected]) {
        if (agent < 0) continue;
        const x = (agent % at.columns) * at.cell;
        const y = at.top + Math.floor(agent / at.columns) * at.height;
        c.strokeStyle = palette().ink;
        c.lineWidth = 2;
        c.strokeRect(x - 1, y - 1, at.cell + 2, at.height + 2);
    }
}

export function bandAgentAt(width: number, height: number, n: number, x: number, y: number): number {
    const at = layoutOf(width, height, n);
    const column = Math.floor(x / at.cell), row = Math.floor((y - at.top) / at.height);
    const agent = row * at.columns + column;
    return row >= 0 && column >= 0 && column < at.columns && agent < n ? agent : -1;
}
