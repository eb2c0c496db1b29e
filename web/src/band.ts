// SPDX-License-Identifier: MIT
//
// The band: a ring too large to draw as one, cut into rows of cells that read like lines of text,
// with the index of the first agent of a row beside it. A cell shows the foremost thing of its
// agent; leaders stand taller than the rest. It is painted pixel by pixel: twenty thousand
// rectangles a frame are too many for a canvas.
import { drawName, FONT, type Sheet } from "./canvas";
import { MARK } from "./machine";
import { channels, faint, palette, shadeOf, type Colour } from "./theme";

interface Layout { columns: number; cell: number; height: number; top: number; left: number }

const LEFT = 46, LEAST_LEADER = 3;

function layoutOf(width: number, height: number, n: number): Layout {
    const room = width - LEFT;
    let columns = 20;
    while (columns < room) {
        const cell = room / columns;
        if (Math.ceil(n / columns) * cell * 2.2 <= height) break;
        columns += 20;
    }
    const cell = room / columns;
    const rows = Math.ceil(n / columns);
    const rowHeight = Math.min(cell * 2.2, height / rows);
    return { columns, cell, height: rowHeight, top: (height - rows * rowHeight) / 2, left: LEFT };
}

const packed = ([r, g, b]: Colour) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;

/** The colours of the things on a ring, as pixels. */
function inks() {
    const p = palette();
    return {
        leader: packed(channels(p.leader)), live: packed(channels(p.live)), dummy: packed(channels(p.dummy)),
        signal: packed(faint(p.signal)), shield: packed(channels(p.shield)),
    };
}

class Painter {
    private readonly image: ImageData;
    private readonly pixels: Uint32Array;

    constructor(private readonly c: CanvasRenderingContext2D, width: number, height: number, private readonly scale: number) {
        this.image = c.createImageData(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
        this.pixels = new Uint32Array(this.image.data.buffer);
    }

    fill(x: number, y: number, width: number, height: number, ink: number): void {
        const { image, pixels, scale } = this;
        const left = Math.round(x * scale), right = Math.min(image.width, Math.max(left + 1, Math.round((x + width) * scale)));
        const bottom = Math.min(image.height, Math.round((y + height) * scale));
        for (let row = Math.max(0, Math.round(y * scale)); row < bottom; row++)
            pixels.fill(ink, row * image.width + left, row * image.width + right);
    }

    put(): void { this.c.putImageData(this.image, 0, 0); }
}

export function drawBand(sheet: Sheet, marks: Uint8Array, shade: Uint32Array, shades: number,
    selected: number, hovered: number): void {
    const { c, width, height } = sheet;
    const n = marks.length;
    const at = layoutOf(width, height, n);
    const gap = at.cell > 4 ? 1 : 0;
    const painter = new Painter(c, width, height, c.getTransform().a);
    const ink = inks();
    const cell = (i: number, leads: boolean) => {
        const h = at.height * (leads ? 0.94 : 0.6);
        const x = at.left + (i % at.columns) * at.cell;
        const y = at.top + Math.floor(i / at.columns) * at.height + at.height * 0.97 - h;
        const wide = leads ? Math.max(LEAST_LEADER, at.cell - gap) : at.cell - gap;
        const m = marks[i];
        painter.fill(x, y, wide, h, leads ? ink.leader : m & MARK.live ? ink.live : m & MARK.dummy ? ink.dummy
            : m & MARK.signal ? ink.signal
            : packed(shadeOf(shades > 1 ? Math.min(1, shade[i] / (shades - 1)) : 0).colour));
        if (m & MARK.shield) painter.fill(x, y, wide, Math.max(1.5, h * 0.22), ink.shield);
    };
    for (let i = 0; i < n; i++) if (!(marks[i] & MARK.leader)) cell(i, false);
    for (let i = 0; i < n; i++) if (marks[i] & MARK.leader) cell(i, true); // over their neighbours
    painter.put();
    drawIndices(c, at, n);
    for (const agent of [hovered, selected]) {
        if (agent < 0) continue;
        const x = at.left + (agent % at.columns) * at.cell;
        const y = at.top + Math.floor(agent / at.columns) * at.height;
        c.strokeStyle = palette().ink;
        c.lineWidth = 2;
        c.strokeRect(x - 1, y - 1, at.cell + 2, at.height + 2);
    }
}

function drawIndices(c: CanvasRenderingContext2D, at: Layout, n: number): void {
    const every = Math.ceil(15 / at.height);
    c.font = `500 10.5px ${FONT}`;
    c.fillStyle = palette().muted;
    c.textBaseline = "middle";
    for (let row = 0; row * at.columns < n; row += every)
        drawName(c, `u_${row * at.columns}`, at.left - 6, at.top + (row + 0.6) * at.height, "right");
}

export function bandAgentAt(width: number, height: number, n: number, x: number, y: number): number {
    const at = layoutOf(width, height, n);
    const column = Math.floor((x - at.left) / at.cell);
    const row = Math.floor((y - at.top) / at.height);
    const agent = row * at.columns + column;
    return column >= 0 && column < at.columns && row >= 0 && agent < n ? agent : -1;
}
