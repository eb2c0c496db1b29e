// SPDX-License-Identifier: MIT
//
// Pictures of the page as it should look, small, beside this file. They are compared by patches, so that
// another font or another edge does no harm. BLESS=1 takes them anew; then they are to be looked at.
//   node --test tests/page        (after make web)
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describePage, drawn, isFull, minute, root, test } from "./browser.mjs";

const WIDTH = 200;

/** A screenshot at a fifth or so, as the colours of its pixels and as a PNG. */
async function small(page) {
    const shot = (await page.screenshot({ animations: "disabled" })).toString("base64");
    return page.evaluate(async ([shot, width]) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${shot}`)).blob());
        const canvas = Object.assign(document.createElement("canvas"), { width, height: Math.round((image.height * width) / image.width) });
        const c = canvas.getContext("2d");
        c.imageSmoothingQuality = "high";
        c.drawImage(image, 0, 0, width, canvas.height);
        return canvas.toDataURL();
    }, [shot, WIDTH]);
}

/** The greatest difference of a patch of 10 x 10 pixels, of 255. */
const difference = (page, urls) => page.evaluate(async (urls) => {
    const [a, b] = await Promise.all(urls.map(async (url) => {
        const image = await createImageBitmap(await (await fetch(url)).blob());
        const c = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
        c.drawImage(image, 0, 0);
        return c.getImageData(0, 0, image.width, image.height);
    }));
    if (a.width !== b.width || a.height !== b.height) return 255;
    const sums = new Map();
    for (let i = 0; i < a.data.length; i++) {
        const x = (i >> 2) % a.width, y = Math.floor((i >> 2) / a.width), patch = `${Math.floor(x / 10)} ${Math.floor(y / 10)}`;
        sums.set(patch, (sums.get(patch) ?? 0) + Math.abs(a.data[i] - b.data[i]) / 300);
    }
    return Math.max(...sums.values());
}, urls);

async function compareLook(page, name) {
    const file = resolve(root, "tests/page", `${name}.png`);
    await page.evaluate(() => { ringleader.page.ring.clearFlashes(); ringleader.page.refresh(); document.querySelector("#toast").classList.remove("shown"); });
    await drawn(page);
    const seen = await small(page);
    if (process.env.BLESS || !existsSync(file)) {
        writeFileSync(file, Buffer.from(seen.split(",")[1], "base64"));
        return;
    }
    const far = await difference(page, [seen, `data:image/png;base64,${readFileSync(file).toString("base64")}`]);
    assert.ok(far < 40, `${name} looks otherwise (${far.toFixed(1)}): see ${file}; BLESS=1 takes it anew`);
}

/** Rings that are the same whatever the stream of random numbers is. */
const MOMENTS = {
    begins: "0Ls 1 2 0Ls 1 2 0Ls 1 2 0Ls 1 2", elected: "0Ls 1 2 3 4 5B 6 7! 8 9 10 11",
    broken: "0L 7 2b 0Ls! 4 5B 6 0L! 8B 9 1 0L", healed: "3 4 5 6 7 0Ls 1 2B 3 4! 5 6",
};
const LECTURE = `#p=prl&n=32&seed=1&c=${Array.from({ length: 32 }, (_, i) => i % 8 === 0 ? "0L!" : `${i % 8}${i % 5 === 0 ? "b" : ""}`).join("+")}&show=rule`;

describePage("how it looks", () => {
    for (const colorScheme of ["light", "dark"]) {
        const usual = colorScheme === "light";
        for (const moment of [...Object.keys(MOMENTS), "plays"])
            if (isFull || usual === (moment !== "begins")) test(`the first minute, ${moment}, ${colorScheme}`, async ({ open }) => {
                const { page } = await open("", { viewport: { width: 1366, height: 768 }, colorScheme, reducedMotion: "reduce" });
                if (moment === "plays") {
                    await page.evaluate(() => ringleader.page.opening.leave());
                    return compareLook(page, `minute-plays-${colorScheme}`);
                }
                await minute(page, () => page.click("#big"), async (here) => {
                    if (here !== moment) return false;
                    await page.evaluate((configuration) => { // and no step more
                        ringleader.page.player.pause();
                        ringleader.machine.open({ ...ringleader.page.execution.request, configuration });
                    }, MOMENTS[moment]);
                    await compareLook(page, `minute-${moment}-${colorScheme}`);
                    return true;
                });
            });
        for (const [width, height] of [[800, 600], [1024, 768], [1920, 1080], [3840, 2160]])
            if (isFull || usual === (width < 1500)) test(`a lecture at ${width} x ${height}, ${colorScheme}`, async ({ open }) => {
                const { page } = await open(LECTURE, { viewport: { width, height }, colorScheme });
                await page.evaluate(() => ringleader.page.meet(0));
                await page.keyboard.press("f");
                await compareLook(page, `lecture-${width}-${colorScheme}`);
            });
        for (const tour of ["first", "paper"])
            for (const viewport of [{ width: 390, height: 844 }, { width: 1366, height: 768 }])
                if (isFull || usual === (viewport.width === 390)) test(`the ${tour} tour at ${viewport.width} px, ${colorScheme}`, async ({ open }) => {
                    const { page } = await open(LECTURE, { viewport, colorScheme });
                    await page.evaluate(() => { ringleader.page.tour.pause = 1e6; });
                    await page.click(`#tour-${tour}`);
                    for (let i = 0; i < 4; i++) await page.click("#tour-next");
                    await page.mouse.move(0, 0);
                    await compareLook(page, `tour-${tour}-${viewport.width}-${colorScheme}`);
                });
    }
});
