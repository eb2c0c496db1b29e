// SPDX-License-Identifier: MIT
//
// Pictures as a GIF: one table of colours for all, those of the theme, shades of them and a few others,
// and the LZW codes of the format. A pixel that stays as it was is transparent, which makes the file several
// times smaller. A GIF is what slides and chats take; the PNG is sharper.
import { between, channels, palette, shadeOf, type Colour } from "./theme";

const WIDEST = 640, UNCHANGED = 255;

/** The colours of the theme, the shades of dist, a grid of 4 x 4 x 4, and steps from each colour to the
 *  paper, in which edges are drawn. */
function table(): Colour[] {
    const own = [...new Set(Object.values(palette()))].filter((colour) => colour.startsWith("#")).map(channels);
    const shades = Array.from({ length: 17 }, (_, i) => shadeOf(i / 16).colour);
    const grid = Array.from({ length: 64 }, (_, i): Colour => [(i >> 4) * 85, ((i >> 2) & 3) * 85, (i & 3) * 85]);
    const paper = channels(palette().surface);
    const edges = [4, 2, 6, 1, 3, 5, 7].flatMap((k) => own.map((colour) => between(colour, paper, k / 8)));
    return [...own, ...shades, ...grid, ...edges].slice(0, UNCHANGED);
}

/** Variable-length codes, lowest bits first, in blocks of at most 255 bytes. */
function compressed(pixels: Uint8Array): number[] {
    const bytes: number[] = [];
    let bits = 0, held = 0, width = 9, codes = new Map<number, number>();
    const put = (code: number) => {
        bits |= code << held;
        for (held += width; held >= 8; held -= 8, bits >>>= 8) bytes.push(bits & 255);
    };
    put(256);
    let prefix = pixels[0];
    for (let i = 1; i < pixels.length; i++) {
        const key = prefix * 256 + pixels[i], known = codes.get(key);
        if (known !== undefined) { prefix = known; continue; }
        put(prefix);
        prefix = pixels[i];
        if (codes.size + 258 === 4096) {
            put(256);
            codes = new Map();
            width = 9;
        } else {
            if (codes.size + 258 === 1 << width) width++;
            codes.set(key, codes.size + 258);
        }
    }
    put(prefix);
    put(257);
    bytes.push(bits & 255);
    const blocks: number[] = [];
    for (let at = 0; at < bytes.length; at += 255) blocks.push(Math.min(255, bytes.length - at), ...bytes.slice(at, at + 255));
    return [8, ...blocks, 0];
}

export async function gifOf(pictures: { png: Uint8Array<ArrayBuffer>; shown: number }[]): Promise<Blob> {
    const colours = table(), nearest = new Int16Array(1 << 15).fill(-1);
    const indexOf = (r: number, g: number, b: number) => {
        const place = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
        if (nearest[place] < 0) {
            const far = colours.map((c) => (c[0] - r) ** 2 + (c[1] - g) ** 2 + (c[2] - b) ** 2);
            nearest[place] = far.indexOf(Math.min(...far));
        }
        return nearest[place];
    };
    const canvas = document.createElement("canvas"), parts: BlobPart[] = [];
    let before = new Uint8Array();
    const word = (value: number) => [value & 255, value >> 8];
    for (const { png, shown } of pictures) {
        const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
        const scale = Math.min(1, WIDEST / image.width);
        const [width, height] = [image.width, image.height].map((size) => Math.round(size * scale));
        if (parts.length === 0) {
            Object.assign(canvas, { width, height });
            parts.push(Uint8Array.from([..."GIF89a"].map((c) => c.charCodeAt(0)).concat(word(width), word(height), 0xf7, 0, 0,
                Array.from({ length: 256 }, (_, i) => colours[i] ?? [0, 0, 0]).flat(),
                [0x21, 0xff, 11], [..."NETSCAPE2.0"].map((c) => c.charCodeAt(0)), [3, 1, 0, 0, 0])));
        }
        const c = canvas.getContext("2d", { willReadFrequently: true })!;
        c.drawImage(image, 0, 0, width, height);
        const { data } = c.getImageData(0, 0, width, height);
        const pixels = Uint8Array.from({ length: width * height }, (_, i) => indexOf(data[4 * i], data[4 * i + 1], data[4 * i + 2]));
        parts.push(Uint8Array.from([0x21, 0xf9, 4, 5, ...word(Math.max(2, Math.round(shown / 10))), UNCHANGED, 0,
            0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0]),
            Uint8Array.from(compressed(pixels.map((colour, i) => colour === before[i] ? UNCHANGED : colour))));
        before = pixels;
    }
    return new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" });
}
