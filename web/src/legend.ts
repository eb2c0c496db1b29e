// SPDX-License-Identifier: MIT
//
// The legend, in the paper's words, for what this protocol has; beside the proof, also for what is
// missing.
import { make } from "./dom";
import { barrier, bullet, crown, disc, obstacle, shape, shield, signal } from "./glyphs";
import { MARK, type Machine } from "./machine";
import { faint, palette, shadeOf } from "./theme";

type Draw = (c: CanvasRenderingContext2D) => void;

/** In a band a thing is a cell of its colour. */
const cell = (colour: string, top = ""): Draw => (c) => {
    for (const [ink, height] of [[colour, 16], [top || colour, 4]] as const) {
        c.fillStyle = ink;
        c.fillRect(8, 4, 8, height);
    }
};

function entries(machine: Machine, isBand: boolean): [string, Draw][] {
    const { possible, variables, undirected } = machine.protocol, p = palette();
    const has = (mark: number) => (possible & mark) !== 0;
    const named = (name: string) => variables.some((variable) => variable.name === name);
    const things: [boolean, string, Draw, Draw][] = [
        [true, "leader", cell(p.leader), (c) => {
            disc(c, 12, 16.5, 5.5, p.leader, p.leaderEdge);
            crown(c, 12, 10, 12, 0);
        }],
        [has(MARK.shield), "shield", cell(p.leader, p.shield), (c) => {
            disc(c, 12, 12, 5.5, p.leader, p.leaderEdge);
            shield(c, 12, 12, 6.5);
        }],
        [has(MARK.live), has(MARK.dummy) ? "live bullet" : "bullet", cell(p.live), (c) => bullet(c, 11.5, 12, 13, 0, true)],
        [has(MARK.dummy), "dummy bullet", cell(p.dummy), (c) => bullet(c, 11.5, 12, 13, 0, false)],
        [has(MARK.signal), named("probe") ? "probe" : "bullet-absence signal",
            cell(`rgb(${faint(p.signal).join(" ")})`), (c) => signal(c, 12, 12, 10, named("probe") ? 0 : Math.PI)],
        [has(MARK.barrier) && !isBand, "barrier", cell(p.insecure), (c) => barrier(c, 12, 12, 9, Math.PI / 2)],
        [undirected && !isBand, "colours", cell(p.muted), (c) => { for (let i = 0; i < 3; i++) shape(c, 5 + 7 * i, 12, 3.4, i); }],
        [undirected && !isBand, "its right", cell(p.muted), (c) => signal(c, 12, 12, 10, 0, p.muted)],
    ];
    const list = things.filter(([there]) => there).map(([, name, band, ring]): [string, Draw] => [name, isBand ? band : ring]);
    if (named("dist")) list.push([isBand ? "dist, small to large" : "number: dist", (c) => {
        for (let i = 0; i < 3; i++) disc(c, 5 + 7 * i, 12, 4, shadeOf(i / 2).css, p.line);
    }]);
    else if (named("label") && !isBand) list.push(["number: label", (c) => disc(c, 12, 12, 6, shadeOf(0).css, p.line)]);
    return list;
}

export function buildLegend(list: HTMLElement, machine: Machine, isBand: boolean, shows: string): void {
    const missing = shows === "proof" && !isBand ? machine.missing : [];
    const key = [machine.protocol.name, isBand, palette().page, missing].join();
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const found = entries(machine, isBand);
    for (const k of missing) found.push([machine.protocol.obstacles[k].name, (c) => obstacle(c, 12, 12, 8, k)]);
    list.replaceChildren(...found.map(([name, draw]) => {
        const canvas = make("canvas"), c = (canvas.width = canvas.height = 72, canvas.getContext("2d")!);
        c.scale(3, 3);
        draw(c);
        return make("li", "", canvas, name);
    }));
}
