// SPDX-License-Identifier: MIT
//
// The README's moving picture: the page elects a leader, is broken, and heals.
//   node scripts/film.mjs BUILD FILE.gif        (after make web)
// The page goes from step to step, so every run takes the same pictures; its own gif.ts makes the file.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname ?? ".", ".."), web = resolve(root, "web");
const packages = createRequire(resolve(web, "package.json"));
const { chromium } = packages("playwright-core");
const { build } = await import(pathToFileURL(packages.resolve("vite")).href.replace(/index\.cjs$/, "dist/node/index.js"));
const [folder, file] = process.argv.slice(2);

const PICTURE_MS = 100;
const CLIP = { x: 180, y: 58, width: 640, height: 494 };
const pictures = [];

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: "light", reducedMotion: "reduce" });
await page.goto(pathToFileURL(resolve(folder, "web/ringleader.html")).href + "#p=prl&n=16&start=random&seed=2");
await page.waitForFunction(() => globalThis.ringleader !== undefined);

/** A picture of the ring as it stands, seen for so long. */
async function take(shown = PICTURE_MS) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    pictures.push({ png: (await page.screenshot({ clip: CLIP })).toString("base64"), shown });
}

/** To the target, a step a picture at first, then more and more of them. */
async function elect() {
    const end = await page.evaluate(() => { // where it will be there
        const { player, execution } = ringleader.page, { machine } = execution, begin = machine.step;
        while (machine.hit(machine.protocol.target) < 0) execution.advance(Infinity);
        const end = machine.hit(machine.protocol.target);
        player.goTo(begin);
        return end;
    });
    let step = await page.evaluate(() => ringleader.machine.step);
    for (let stride = 1; step < end; stride *= 1.06) {
        step = Math.min(end, step + Math.floor(stride));
        await page.evaluate((step) => ringleader.page.player.goTo(step), step);
        await take();
    }
}

await take(1200);
await elect();
await take(2500);
await page.evaluate(() => {
    document.querySelector("#corrupt-count").value = "14";
    document.querySelector("#corrupt").click();
});
await take(1500);
await elect();
await take(3000);

const made = await build({
    configFile: false, root: web, logLevel: "silent",
    build: { lib: { entry: resolve(web, "src/gif.ts"), formats: ["iife"], name: "film" }, write: false },
});
await page.addScriptTag({ content: [made].flat()[0].output[0].code });
const gif = await page.evaluate(async (pictures) => {
    const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const blob = await film.gifOf(pictures.map(({ png, shown }) => ({ png: bytes(png), shown })));
    return [...new Uint8Array(await blob.arrayBuffer())];
}, pictures);
await browser.close();
writeFileSync(file, Uint8Array.from(gif));
console.log(`${file}: ${pictures.length} pictures, ${gif.length} bytes`);
