// SPDX-License-Identifier: MIT
//
// What the tests of the page share: one browser a file, pages that belong to a test and are closed
// after it, and the ways in which tests look at a page. A page that says anything on the console, or
// throws, fails its test.
//   node --test tests/page        (after make web; scripts/test.sh does both)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { after, before, describe, test as plainTest } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const packages = createRequire(resolve(root, "web/package.json"));
const { chromium } = packages("playwright-core");
export const build = resolve(root, process.env.RINGLEADER_BUILD ?? "build");
export const address = pathToFileURL(resolve(build, "web/ringleader.html")).href;
export const axe = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** What tests begin with that do not ask for anything else; without a link there is the first minute. */
export const RING = "#p=prl&n=32&start=random&seed=7";
/** DESKTOP at 200 %. */
export const ZOOMED = { width: 720, height: 450 };

/** Every combination, not one of each: for `make audit`. */
export const isFull = process.env.PAGE_TEST === "full";

let browser;

/** A file's tests. Two at a time: a test mostly waits for the page. */
export function describePage(name, body) {
    describe(name, { concurrency: 2 }, () => {
        before(async () => {
            browser = await chromium.launch({
                executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
                args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                    "--disable-component-update", "--disable-sync", "--no-first-run"],
            });
        });
        after(() => browser?.close());
        body();
    });
}

async function openIn(context, fragment, file) {
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    const seen = { messages: [], requests: [] };
    page.on("console", (message) => seen.messages.push(message.text()));
    page.on("pageerror", (error) => seen.messages.push(error.message));
    page.on("request", (request) => seen.requests.push(request.url()));
    await page.goto((file ? pathToFileURL(file).href : address) + fragment);
    await page.waitForFunction(() => globalThis.ringleader !== undefined);
    return { page, seen };
}

/** A test that opens pages. */
export function test(name, body) {
    plainTest(name, async () => {
        const contexts = [], opened = [];
        const open = async (fragment = RING, { file, ...options } = {}) => {
            const context = await browser.newContext({ viewport: DESKTOP, ...options });
            contexts.push(context);
            opened.push(await openIn(context, fragment, file));
            return opened.at(-1);
        };
        try {
            await body({ open });
            for (const { seen } of opened) assert.deepEqual(seen.messages, []);
        } finally {
            await Promise.all(contexts.map((context) => context.close()));
        }
    });
}

export const native = (...words) => JSON.parse(execFileSync(resolve(build, "ringleader"), [...words, "--json"]));

/** Opens another link in the same page, as a person does in the address bar. */
export const visit = (page, fragment) => page.evaluate((fragment) => new Promise((done) => {
    addEventListener("hashchange", () => done(), { once: true }); // after the page's own
    location.hash = fragment;
}), fragment);

/** Waits until the page has drawn what it knows. */
export const drawn = (page) => page.evaluate(() =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const number = async (page, id) => {
    await drawn(page);
    return Number((await page.textContent(id)).replaceAll(",", ""));
};
export const configuration = (page) => page.evaluate(() => ringleader.machine.configuration());
export const step = (page) => page.evaluate(() => ringleader.machine.step);

/** Waits until a run has ended. */
export const paused = (page) =>
    page.waitForFunction(() => document.querySelector("#play-word").textContent === "Play");

/** Runs to the target and waits until it is there. */
export async function runToTarget(page) {
    await page.click("#run-to");
    await paused(page);
}

/** The point of the canvas where an agent (or, with a half, an arc) is drawn. */
export async function place(page, agent) {
    return page.evaluate((agent) => {
        const { page } = ringleader;
        const canvas = document.querySelector("#ring");
        const g = page.ring.geometry(canvas.clientWidth, canvas.clientHeight);
        const [x, y] = page.ring.at(g, page.ring.angle(agent), g.radius);
        return { x, y };
    }, agent);
}

/** What a view of the page calls on its canvas when it draws: name, arguments, and the origin at the time. */
export const calls = (page, view, ...names) => page.evaluate(([view, names]) => {
    const { prototype } = CanvasRenderingContext2D, made = [];
    const plain = Object.fromEntries(names.map((name) => [name, prototype[name]]));
    for (const name of names) prototype[name] = function (...all) {
        const { a, e, f } = this.getTransform();
        made.push({ name, all: all.filter((x) => typeof x !== "object"), x: e / a, y: f / a, half: name === "fillText" ? this.measureText(all[0]).width / 2 : 0 });
        plain[name].apply(this, all);
    };
    ringleader.page[view].draw(0);
    Object.assign(prototype, plain);
    return made;
}, [view, names]);
/** The words that it writes. */
export const words = async (page, view) => (await calls(page, view, "fillText")).map(({ all }) => all[0]);

/** Plays what is left of a run at once: to see what comes after it nobody has to wait. */
const hurry = (page) => page.evaluate(() => ringleader.page.player.runTo(ringleader.machine.protocol.target));
const says = (page, words) => page.waitForFunction((words) => document.querySelector("#opening-words").textContent.includes(words), words);

/** To the doors; `look` is called at each moment, and ends it there if it returns true. */
export async function minute(page, press, look) {
    await says(page, "Can they agree on one leader?");
    if (await look("begins")) return;
    await hurry(page);
    await says(page, "One leader, after");
    if (await look("elected")) return;
    await press();
    await says(page, "Watch it heal");
    if (await look("broken")) return;
    await hurry(page);
    await says(page, "Nobody helped");
    await look("healed");
}
