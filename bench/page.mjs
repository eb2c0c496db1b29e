// SPDX-License-Identifier: MIT
//
// Frames a second of the page while it plays, and where the time of a frame goes, in headless Chromium
// with software rendering. Frames are counted by requestAnimationFrame; the times are Chromium's own
// (CDP, Performance.getMetrics): all tasks of the page's main thread, and of these our script, layout
// and style. What is left is mostly the drawing of canvases.
//   node bench/page.mjs [SECONDS]        (after make web, on an idle machine)
import { dirname, resolve } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(resolve(root, "web/package.json"))("playwright-core");
const address = pathToFileURL(resolve(root, process.env.RINGLEADER_BUILD ?? "build", "web/ringleader.html")).href;
const seconds = Number(process.argv[2] ?? 8);

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
console.log("|      n | pace                | frames/s | ms a frame | script | layout and style | drawing and other |");
console.log("|-------:|---------------------|---------:|-----------:|-------:|-----------------:|------------------:|");
for (const n of [100, 1000, 20000])
    for (const pace of ["ends in \u00bd min", "as fast as it goes"]) {
        const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
        const cdp = await page.context().newCDPSession(page);
        await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
        await page.goto(`${address}#p=prl&n=${n}&start=random&seed=1`);
        await page.waitForFunction(() => globalThis.ringleader !== undefined);
        await page.evaluate((fast) => { ringleader.page.setSpeed(fast ? Infinity : 0); ringleader.page.play(); }, pace.startsWith("as"));
        await page.waitForTimeout(500);
        const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
        const before = await metrics();
        const { frames, time } = await page.evaluate((seconds) => new Promise((done) => {
            let frames = 0, first = 0;
            const count = (now) => {
                first ||= now;
                if (now - first >= seconds * 1000) done({ frames, time: (now - first) / 1000 });
                else requestAnimationFrame(count, frames++);
            };
            requestAnimationFrame(count);
        }), seconds);
        const after = await metrics(), spent = (...names) => names.reduce((sum, name) => sum + (after[name] - before[name]) * 1000 / frames, 0);
        const all = spent("TaskDuration"), script = spent("ScriptDuration"), layout = spent("LayoutDuration", "RecalcStyleDuration");
        console.log(`| ${String(n).padStart(6)} | ${pace.slice(0, 19).padEnd(19)} | ${(frames / time).toFixed(1).padStart(8)} | ${all.toFixed(1).padStart(10)} | ${script.toFixed(1).padStart(6)} | ${layout.toFixed(1).padStart(16)} | ${(all - script - layout).toFixed(1).padStart(17)} |`);
        await page.context().close();
    }
await browser.close();
