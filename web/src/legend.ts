// SPDX-License-Identifier: MIT
//
// The legend, in the paper's words, for the things that this protocol has.
import { bullet, crown, disc, shape, shield, signal } from "./glyphs";
import { MARK, type Protocol } from "./machine";
import { faint, palette, shadeOf } from "./theme";

type Draw = (c: CanvasRenderingContext2D) => void;

/** A large ring is drawn as a band of cells: one colour for each thing. */
function cells(protocol: Protocol): [string, Draw][] {
    const has = (mark: number) => (protocol.possible & mark) !== 0;
    const cell = (colour: string): Draw => (c) => { c.fillStyle = colour; c.fillRect(8, 4, 8, 16); };
    const list: [string, Draw][] = [["leader", cell(palette().leader)]];
    if (has(MARK.shield)) list.push(["shield", (c) => {
        cell(palette().leader)(c);
        c.fillStyle = palette().shield;
        c.fillRect(8, 4, 8, 4);
    }]);
    if (has(MARK.live)) list.push([has(MARK.dummy) ? "live bullet" : "bullet", cell(palette().live)]);
    if (has(MARK.dummy)) list.push(["dummy bullet", cell(palette().dummy)]);
    if (has(MARK.signal)) list.push(["bullet-absence signal", cell(`rgb(${faint(palette().signal).join(" ")})`)]);
    return [...list, ...shades(protocol)];
}

function shades(protocol: Protocol): [string, Draw][] {
    if (!protocol.variables.some((variable) => variable.name === "dist")) return [];
    return [["dist, small to large", (c) => {
        for (let i = 0; i < 3; i++) disc(c, 5 + 7 * i, 12, 4, shadeOf(i / 2).css, palette().line);
    }]];
}

function entries(protocol: Protocol): [string, Draw][] {
    const has = (mark: number) => (protocol.possible & mark) !== 0;
    const list: [string, Draw][] = [["leader", (c) => {
        disc(c, 12, 16.5, 5.5, palette().leader, palette().leaderEdge);
        crown(c, 12, 10, 12, 0);
    }]];
    if (has(MARK.shield))
        list.push(["shield", (c) => {
            disc(c, 12, 12, 5.5, palette().leader, palette().leaderEdge);
            shield(c, 12, 12, 6.5);
        }]);
    if (has(MARK.live)) {
        const name = has(MARK.dummy) ? "live bullet" : "bullet";
        list.push([name, (c) => bullet(c, 11.5, 12, 13, 0, true)]);
    }
    if (has(MARK.dummy)) list.push(["dummy bullet", (c) => bullet(c, 11.5, 12, 13, 0, false)]);
    if (has(MARK.signal)) list.push(["bullet-absence signal", (c) => signal(c, 12, 12, 10, Math.PI)]);
    if (protocol.undirected)
        list.push(["colours", (c) => { for (let i = 0; i < 3; i++) shape(c, 5 + 7 * i, 12, 3.4, i); }],
            ["its right", (c) => signal(c, 12, 12, 10, 0, palette().muted)]);
    return [...list, ...shades(protocol)];
}

export function buildLegend(list: HTMLElement, protocol: Protocol, isBand: boolean): void {
    list.replaceChildren(...(isBand ? cells : entries)(protocol).map(([name, draw]) => {
        const item = document.createElement("li");
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 72;
        const c = canvas.getContext("2d")!;
        c.scale(3, 3);
        draw(c);
        item.append(canvas, name);
        return item;
    }));
}
