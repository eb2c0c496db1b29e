// SPDX-License-Identifier: MIT
//
// Colours for the canvases, read from the style sheet, so that they are written once.

export interface Palette {
    surface: string; ink: string; muted: string; line: string; accent: string;
    leader: string; leaderEdge: string; shield: string; live: string; dummy: string; signal: string;
    insecure: string; near: string; far: string;
}

const NAMES: (keyof Palette)[] = ["surface", "ink", "muted", "line", "accent", "leader",
    "leaderEdge", "shield", "live", "dummy", "signal", "insecure", "near", "far"];

let cached: Palette | null = null;

export function palette(): Palette {
    if (cached) return cached;
    const style = getComputedStyle(document.documentElement);
    const found = {} as Palette;
    for (const name of NAMES) found[name] = style.getPropertyValue("--" + name).trim();
    return (cached = found);
}

/** "#rrggbb" as three numbers. */
export function channels(colour: string): [number, number, number] {
    const number = parseInt(colour.slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
}

/** The shade of an agent's dist: `part` from 0 (near) to 1 (far). */
export function shadeOf(part: number): [number, number, number] {
    const a = channels(palette().near), b = channels(palette().far);
    return [0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * part)) as [number, number, number];
}

/** Signals are many: where they fill areas they must not drown the rest. */
export function faintSignal(): [number, number, number] {
    const a = channels(palette().signal), b = shadeOf(0.12);
    return [0, 1, 2].map((i) => Math.round(0.32 * a[i] + 0.68 * b[i])) as [number, number, number];
}

/** Follows the system until the person chooses; calls `changed` after every change. */
export function watchTheme(button: HTMLButtonElement, changed: () => void): void {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let chosen: "light" | "dark" | null = null;
    const apply = () => {
        const theme = chosen ?? (dark.matches ? "dark" : "light");
        document.documentElement.dataset.theme = theme;
        button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
        cached = null;
        changed();
    };
    button.addEventListener("click", () => {
        chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        apply();
    });
    dark.addEventListener("change", apply);
    apply();
}

export function wantsStillness(): boolean {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
