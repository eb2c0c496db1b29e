// SPDX-License-Identifier: MIT
//
// The shapes of the things on a ring. Meaning never rests on colour alone: a leader has a crown, a
// shield is a second ring, a live bullet is a full dart, a dummy one is hollow, a signal is a
// chevron that points the way it goes.
import { palette } from "./theme";

type C = CanvasRenderingContext2D;

/** Draws with (x, y) for the origin, turned by `angle`. */
function turned(c: C, x: number, y: number, angle: number, draw: () => void): void {
    c.save();
    c.translate(x, y);
    c.rotate(angle);
    c.beginPath();
    draw();
    c.restore();
}

/** A crown standing on (x, y), `size` wide, its foot turned by `angle`. */
export function crown(c: C, x: number, y: number, size: number, angle: number): void {
    const s = size / 2, h = size * 0.78;
    turned(c, x, y, angle, () => {
        for (const [px, py] of [[-1, 0], [-1.08, 0.8], [-0.48, 0.42], [0, 1], [0.48, 0.42], [1.08, 0.8], [1, 0]]) c.lineTo(px * s, -py * h);
        c.closePath();
        c.fillStyle = palette().leader;
        c.strokeStyle = palette().leaderEdge;
        c.lineWidth = Math.max(0.75, size / 16);
        c.lineJoin = "round";
        c.fill();
        c.stroke();
    });
}

/** A bullet at (x, y) that flies towards `angle`. */
export function bullet(c: C, x: number, y: number, size: number, angle: number, live: boolean): void {
    const s = size / 2;
    turned(c, x, y, angle, () => {
        c.moveTo(-s, -s * 0.52);
        c.lineTo(s * 0.2, -s * 0.52);
        c.quadraticCurveTo(s * 0.85, -s * 0.42, s * 1.15, 0);
        c.quadraticCurveTo(s * 0.85, s * 0.42, s * 0.2, s * 0.52);
        c.lineTo(-s, s * 0.52);
        c.closePath();
        c.lineJoin = "round";
        c.lineWidth = Math.max(1, size / 8);
        c.strokeStyle = live ? palette().live : palette().dummy;
        c.fillStyle = live ? palette().live : palette().surface;
        c.fill();
        c.stroke();
    });
}

/** A chevron at (x, y) that points towards `angle`. */
export function signal(c: C, x: number, y: number, size: number, angle: number, colour = palette().signal): void {
    const s = size / 2;
    turned(c, x, y, angle, () => {
        c.moveTo(-s * 0.5, -s);
        c.lineTo(s * 0.5, 0);
        c.lineTo(-s * 0.5, s);
        c.strokeStyle = colour;
        c.lineWidth = Math.max(1.2, size / 4);
        c.lineCap = "round";
        c.lineJoin = "round";
        c.stroke();
    });
}

/** An agent's disc. */
export function disc(c: C, x: number, y: number, radius: number, fill: string, edge: string): void {
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
    c.strokeStyle = edge;
    c.lineWidth = Math.max(0.6, Math.min(1.6, radius / 7));
    c.stroke();
}

/** A shield around a disc of that radius. */
export function shield(c: C, x: number, y: number, radius: number): void {
    const width = Math.max(1.6, Math.min(4, radius / 4));
    c.beginPath();
    c.arc(x, y, radius + width * 1.25, 0, 2 * Math.PI);
    c.strokeStyle = palette().shield;
    c.lineWidth = width;
    c.stroke();
}

/** One of three colours, told by its shape as well: a dot, a triangle, a square. */
export function shape(c: C, x: number, y: number, size: number, kind: number): void {
    const { insecure, signal: green, live } = palette();
    c.beginPath();
    if (kind === 0) c.arc(x, y, size * 0.8, 0, 2 * Math.PI);
    else for (const corner of Array(kind + 2).keys()) {
        const angle = (corner / (kind + 2)) * 2 * Math.PI - (kind === 1 ? Math.PI / 2 : Math.PI / 4);
        c.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
    }
    c.closePath();
    c.fillStyle = [insecure, green, live][kind];
    c.fill();
}

/** A bar across the ring that bullets do not pass; `angle` is that of its place. */
export function barrier(c: C, x: number, y: number, size: number, angle: number): void {
    c.beginPath();
    c.moveTo(x - size * Math.cos(angle), y - size * Math.sin(angle));
    c.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
    c.strokeStyle = palette().insecure;
    c.lineWidth = Math.max(2, size / 5);
    c.lineCap = "round";
    c.stroke();
}

/** How the rings round obstacles are broken, one after the other. */
const DASHES = [[], [2, 3], [7, 3], [4, 2], [1, 4]];

/** A ring round an agent that has obstacle number k, in the colour of its sentence. */
export function obstacle(c: C, x: number, y: number, radius: number, k: number): void {
    const { live, signal: green, insecure, leaderEdge } = palette();
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.strokeStyle = [live, live, green, insecure, leaderEdge][k % 5];
    c.lineWidth = Math.max(1.5, Math.min(3, radius / 6));
    c.setLineDash(DASHES[k % DASHES.length]);
    c.stroke();
    c.setLineDash([]);
}
