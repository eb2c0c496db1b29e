// SPDX-License-Identifier: MIT
//
// Colours for the canvases, read from the style sheet, so that they are written once.

const NAMES = ["page", "surface", "ink", "muted", "line", "accent", "leader", "leaderEdge", "shield", "live", "dummy", "signal",
    "insecure", "near", "far"] as const;
export type Palette = Record<(typeof NAMES)[number], string>;

let cached: Palette | null = null;

export function palette(): Palette {
    if (cached) return cached;
    const style = getComputedStyle(document.documentElement);
    const found = {} as Palette;
    for (const name of NAMES) found[name] = style.getPropertyValue("--" + name).trim();
    return (cached = found);
}

/** "#rrggbb" as three numbers. */
export function channels(colour: string): Colour {
    const number = parseInt(colour.slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
}

export type Colour = [number, number, number];

/** Between two colours: `part` from 0 to 1. */
export function between(a: Colour, b: Colour, part: number): Colour {
    return [0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * part)) as Colour;
}

const SHADES = 64;
let shades: { colour: Colour; css: string }[] = [];

/** The shade of an agent's dist: `part` from 0 (near) to 1 (far), from a table for this theme. */
export function shadeOf(part: number): { colour: Colour; css: string } {
    if (shades.length === 0) {
        const near = channels(palette().near), far = channels(palette().far);
        shades = Array.from({ length: SHADES + 1 }, (_, i) => {
            const colour = between(near, far, i / SHADES);
            return { colour, css: `rgb(${colour.join(" ")})` };
        });
    }
    return shades[Math.round(part * SHADES)];
}

/** Signals are many: where they fill areas they must not drown the rest. */
export function faint(colour: string): Colour {
    return between(shadeOf(0.12).colour, channels(colour), 0.32);
}

const KEPT = "ringleader-theme";

/** Follows the system until the person chooses, which is remembered; calls `changed` after every change. */
export function watchTheme(button: HTMLButtonElement, changed: () => void): void {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let chosen = remembered();
    const apply = () => {
        const theme = chosen ?? (dark.matches ? "dark" : "light");
        document.documentElement.dataset.theme = theme;
        button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
        cached = null;
        shades = [];
        changed();
    };
    button.addEventListener("click", () => {
        chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        try { localStorage.setItem(KEPT, chosen); } catch { /* a browser may keep nothing */ }
        apply();
    });
    dark.addEventListener("change", apply);
    apply();
}

function remembered(): string | null {
    try { return localStorage.getItem(KEPT); } catch { return null; }
}

export function wantsStillness(): boolean {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
