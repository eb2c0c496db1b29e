// SPDX-License-Identifier: MIT
//
// A canvas that is as sharp as the screen, in units that grow with the type.

export interface Sheet {
    c: CanvasRenderingContext2D;
    width: number;
    height: number;
}

let pixels = 0;

/** CSS pixels in a unit of drawing: as the type grows for a lecture, so does all that is drawn. */
export function unit(): number {
    return (pixels ||= parseFloat(getComputedStyle(document.documentElement).fontSize) / 14 || 1);
}
addEventListener("resize", () => { pixels = 0; });

/** The size of type may be another one now. */
export function resized(): void { pixels = 0; }

/** The size of a canvas in units. */
export function sizeOf(canvas: HTMLElement): { width: number; height: number } {
    return { width: canvas.clientWidth / unit(), height: canvas.clientHeight / unit() };
}

/** Fits the canvas to its box, clears it and gives its context, scaled to units. */
export function sheetOf(canvas: HTMLCanvasElement): Sheet {
    const scale = Math.min(window.devicePixelRatio || 1, 3) * unit();
    const { width, height } = sizeOf(canvas);
    const w = Math.round(width * scale), h = Math.round(height * scale);
    if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
    }
    const c = canvas.getContext("2d")!;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    return { c, width, height };
}

/** Calls `seek` where the pointer goes down and wherever it is dragged. */
export function scrub(canvas: HTMLCanvasElement, seek: (event: PointerEvent) => void): void {
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); seek(event); });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) seek(event); });
}

export const FONT = '"Inter Variable", system-ui, sans-serif';

const groups = new Intl.NumberFormat("en-US");
export const grouped = (value: number) => groups.format(value);

/** A short number for an axis: 950, 12k, 3.4M. */
export function short(value: number): string {
    for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
        if (value >= unit) return +(value / unit).toPrecision(3) + name;
    return String(value);
}

/** A text whose names have indices, such as u_12 or S_RL; the context's font is that of the text. */
export function drawName(c: CanvasRenderingContext2D, text: string, x: number, y: number,
    align: "left" | "center" | "right"): void {
    const font = c.font;
    const size = Number(/(\d+(?:\.\d+)?)px/.exec(font)![1]);
    const small = font.replace(/(\d+(?:\.\d+)?)px/, `${size * 0.78}px`);
    const pieces = text.split(/_(\w+)/).map((piece, i) => {
        c.font = i % 2 === 0 ? font : small;
        return { piece, low: i % 2 === 1, width: c.measureText(piece).width };
    });
    const width = pieces.reduce((sum, piece) => sum + piece.width, 0);
    let at = align === "left" ? x : align === "right" ? x - width : x - width / 2;
    c.textAlign = "left";
    for (const piece of pieces) {
        c.font = piece.low ? small : font;
        c.fillText(piece.piece, at, y + (piece.low ? size * 0.22 : 0));
        at += piece.width;
    }
    c.font = font;
}
