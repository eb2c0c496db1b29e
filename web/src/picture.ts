// SPDX-License-Identifier: MIT
//
// The ring as SVG, to take away: by a context that writes down what is drawn on it.
import type { Sheet } from "./canvas";
import { palette } from "./theme";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const rounded = (value: number) => String(Math.round(value * 100) / 100);

/** As much of a canvas context as the drawing of a ring uses. Each path carries the transform that
 *  held while it was made. */
class SvgContext {
    fillStyle = "#000";
    strokeStyle = "#000";
    lineWidth = 1;
    lineCap = "butt";
    lineJoin = "miter";
    globalAlpha = 1;
    font = "";
    textAlign = "left";
    textBaseline = "alphabetic";
    imageSmoothingEnabled = true;
    readonly parts: string[] = [];
    private path: string[] = [];
    private dash: number[] = [];
    private transforms: string[] = [];
    private saved: number[] = [];
    private readonly ruler = document.createElement("canvas").getContext("2d")!;

    beginPath() { this.path = []; }
    closePath() { this.path.push("Z"); }
    moveTo(x: number, y: number) { this.path.push(`M${rounded(x)} ${rounded(y)}`); }
    lineTo(x: number, y: number) { this.path.push(`${this.path.length ? "L" : "M"}${rounded(x)} ${rounded(y)}`); }
    quadraticCurveTo(a: number, b: number, x: number, y: number) {
        this.path.push(`Q${[a, b, x, y].map(rounded).join(" ")}`);
    }
    arc(x: number, y: number, radius: number, from: number, to: number) {
        const at = (angle: number) => `${rounded(x + radius * Math.cos(angle))} ${rounded(y + radius * Math.sin(angle))}`;
        const curve = (angle: number, large: number) => `A${rounded(radius)} ${rounded(radius)} 0 ${large} 1 ${at(angle)}`;
        this.path.push(`${this.path.length ? "L" : "M"}${at(from)}`);
        if (to - from >= 2 * Math.PI) this.path.push(curve(from + Math.PI, 0), curve(from, 0));
        else this.path.push(curve(to, to - from > Math.PI ? 1 : 0));
    }
    save() { this.saved.push(this.transforms.length); }
    restore() { this.transforms.length = this.saved.pop() ?? 0; }
    translate(x: number, y: number) { this.transforms.push(`translate(${rounded(x)} ${rounded(y)})`); }
    rotate(angle: number) { this.transforms.push(`rotate(${rounded((angle * 180) / Math.PI)})`); }
    setLineDash(dash: number[]) { this.dash = dash; }
    getTransform() { return { a: 2 }; }
    measureText(text: string) {
        this.ruler.font = this.font;
        return this.ruler.measureText(text);
    }

    private get place() {
        const transform = this.transforms.length ? ` transform="${this.transforms.join(" ")}"` : "";
        return transform + (this.globalAlpha < 1 ? ` opacity="${rounded(this.globalAlpha)}"` : "");
    }
    fill() { this.parts.push(`<path d="${this.path.join("")}" fill="${this.fillStyle}"${this.place}/>`); }
    stroke() {
        const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
        this.parts.push(`<path d="${this.path.join("")}" fill="none" stroke="${this.strokeStyle}" stroke-width="${rounded(this.lineWidth)}" stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dash}${this.place}/>`);
    }
    fillRect(x: number, y: number, width: number, height: number) {
        this.parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}" fill="${this.fillStyle}"${this.place}/>`);
    }
    fillText(text: string, x: number, y: number) {
        const size = /([\d.]+)px/.exec(this.font)?.[1] ?? "12", weight = /^\d+/.exec(this.font)?.[0] ?? "400";
        const anchor = { center: "middle", right: "end" }[this.textAlign] ?? "start";
        const below = { middle: 0.35, top: 0.8 }[this.textBaseline] ?? 0;
        this.parts.push(`<text x="${rounded(x)}" y="${rounded(y + below * Number(size))}" font-family="Inter, sans-serif" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${this.fillStyle}"${this.place}>${escaped(text)}</text>`);
    }
    strokeRect(x: number, y: number, width: number, height: number) {
        this.path = [`M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`];
        this.stroke();
    }

    /* Pixels, for the band of a large ring: they go in as a picture. */
    createImageData(width: number, height: number) { return new ImageData(width, height); }
    putImageData(image: ImageData) {
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext("2d")!.putImageData(image, 0, 0);
        this.parts.push(`<image width="${image.width / 2}" height="${image.height / 2}" href="${canvas.toDataURL()}"/>`);
    }
}

/** What is drawn, on paper of the size of a canvas. */
export function svgOf(canvas: HTMLCanvasElement, draw: (sheet: Sheet) => void): string {
    const { clientWidth: width, clientHeight: height } = canvas;
    const context = new SvgContext();
    draw({ c: context as unknown as CanvasRenderingContext2D, width, height });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
        `<rect width="100%" height="100%" fill="${palette().surface}"/>${context.parts.join("\n")}</svg>\n`;
}

export function saveBlob(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
