// SPDX-License-Identifier: MIT
//
// A stretch of the execution as an animated PNG or a GIF, made here picture by picture. Not by the
// browser's recorder: what a slow machine cannot encode in time, it leaves out. Here every picture
// that was taken is in the film and stays for as long as it was to be seen.
import { gifOf } from "./gif";
import { palette } from "./theme";

/** At most so many pictures, at least so far apart: about 50 seconds, some 20 MB. */
const MOST_PICTURES = 500, LEAST_MS = 100;

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
});

/** A chunk of a PNG file: length, type, data, check sum; what is a number becomes four bytes. */
function chunk(type: string, ...parts: (number | Uint8Array)[]): Uint8Array<ArrayBuffer> {
    const data = parts.flatMap((part) => typeof part === "number" ? [part >>> 24, (part >>> 16) & 255, (part >>> 8) & 255, part & 255] : [...part]);
    const bytes = new Uint8Array(data.length + 12), view = new DataView(bytes.buffer);
    view.setUint32(0, data.length);
    bytes.set([...type].map((letter) => letter.charCodeAt(0)), 4);
    bytes.set(data, 8);
    let crc = 0xffffffff;
    for (let i = 4; i < data.length + 8; i++) crc = CRC[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
    view.setUint32(data.length + 8, ~crc >>> 0);
    return bytes;
}

/** The data of all chunks of a type. */
function dataOf(png: Uint8Array, wanted: string): Uint8Array[] {
    const found: Uint8Array[] = [], view = new DataView(png.buffer);
    for (let at = 8; at < png.length;) {
        const length = view.getUint32(at), type = String.fromCharCode(...png.subarray(at + 4, at + 8));
        if (type === wanted) found.push(png.subarray(at + 8, at + 8 + length));
        at += length + 12;
    }
    return found;
}

interface Picture { png: Uint8Array<ArrayBuffer>; at: number }

function isSame(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Pictures of one size, each with the milliseconds for which it is shown, as one file. */
function animated(kept: { png: Uint8Array; shown: number }[]): Blob {
    const [header] = dataOf(kept[0].png, "IHDR"), size = header.subarray(0, 8);
    let sequence = 0;
    const frames = kept.flatMap(({ png, shown }, i) => {
        const control = chunk("fcTL", sequence++, size, 0, 0, (shown << 16) | 1000, new Uint8Array(2));
        const data = dataOf(png, "IDAT").map((part) => i === 0 ? chunk("IDAT", part) : chunk("fdAT", sequence++, part));
        return [control, ...data];
    });
    const signature = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
    return new Blob([signature, chunk("IHDR", header), chunk("acTL", kept.length, 0), ...frames, chunk("IEND")], { type: "image/png" });
}

/** The ring on paper, picture by picture. */
export class Film {
    private readonly paper = document.createElement("canvas");
    private pictures: Picture[] = [];
    isRunning = false;

    /** `full` is called when no more pictures can be taken. */
    constructor(private readonly canvas: HTMLCanvasElement, private readonly full: () => void) {}

    /** At once: what a canvas gives when it finds the time may come too late for a film. */
    private copy(): Uint8Array<ArrayBuffer> {
        const c = this.paper.getContext("2d")!;
        c.fillStyle = palette().surface;
        c.fillRect(0, 0, this.paper.width, this.paper.height);
        c.drawImage(this.canvas, 0, 0, this.paper.width, this.paper.height);
        const [, base64] = this.paper.toDataURL("image/png").split(",");
        return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    }

    private fit(): void {
        this.paper.width = this.canvas.width;
        this.paper.height = this.canvas.height;
    }

    still(): Blob {
        if (!this.isRunning) this.fit();
        return new Blob([this.copy()], { type: "image/png" });
    }

    begin(): void {
        this.fit();
        this.pictures = [];
        this.isRunning = true;
        this.take(performance.now());
        const frame = (now: number) => {
            if (!this.isRunning) return;
            if (now - this.pictures.at(-1)!.at >= LEAST_MS) this.take(now);
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }

    private take(at: number): void {
        this.pictures.push({ png: this.copy(), at });
        if (this.pictures.length >= MOST_PICTURES) this.full();
    }

    async end(kind: "png" | "gif"): Promise<Blob> {
        this.isRunning = false;
        this.pictures.push({ png: this.copy(), at: performance.now() });
        const { pictures } = this, end = pictures.at(-1)!.at + LEAST_MS;
        const kept = pictures.filter((picture, i) => i === 0 || !isSame(picture.png, pictures[i - 1].png))
            .map(({ png, at }, i, all) => ({ png, shown: Math.min(65535, Math.round((all[i + 1]?.at ?? end) - at)) }));
        return kind === "png" ? animated(kept) : gifOf(kept);
    }
}
