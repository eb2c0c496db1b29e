// SPDX-License-Identifier: MIT
//
// Tours, comparison, pictures to take away; all of it by keyboard, by touch, large and dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { axe, configuration, describePage, DESKTOP, PHONE, drawn, isFull, native, place, runToTarget, step, test,
    words, ZOOMED } from "./browser.mjs";

/** Ways to press a button and to make a pair of agents meet. */
class Mouse {
    constructor(page) { this.page = page; }
    async press(id) { await this.page.click(id); }
    async meet(arc) { await this.page.click("#ring", { position: await place(this.page, arc + 0.5) }); }
}

class Finger extends Mouse {
    async press(id) { await this.page.tap(id); }
    async meet(arc) { await this.page.tap("#ring", { position: await place(this.page, arc + 0.5) }); }
}

class Keyboard extends Mouse {
    /** With Tab, as somebody without a mouse has to. */
    async goTo(id) {
        const here = () => this.page.evaluate(() => "#" + document.activeElement.id);
        for (let tabs = 0; tabs < 80 && await here() !== id; tabs++) await this.page.keyboard.press("Tab");
        assert.equal(await here(), id);
    }
    async press(id) {
        await this.goTo(id);
        await this.page.keyboard.press("Enter");
    }
    async meet(arc) {
        await this.goTo("#ring");
        const chosen = () => this.page.evaluate(() => ringleader.page.ring.selected);
        while (await chosen() !== arc) await this.page.keyboard.press("ArrowRight");
        await this.page.keyboard.press("Enter");
    }
}

/** What the first tour asks for, stop by stop: arcs that are to interact, or a button. */
const TASKS = { 2: [0, 1, 2], 4: "#corrupt", 5: [6, 7], 6: [7, 4, 5, 6, 7], 8: "#play", 9: "#run-to" };
const STOPS = { first: 10, paper: 10 };

/** From the first stop to the last; every task is done, and nothing is covered or cut off. */
async function walk(page, hand, tour) {
    await hand.press(`#tour-${tour}`);
    for (let stop = 1; stop <= STOPS[tour]; stop++) {
        assert.match(await page.textContent("#tour-place"), new RegExp(`: ${stop} of ${STOPS[tour]}$`));
        while (await page.textContent("#tour-next") === "Read on") await hand.press("#tour-next");
        await drawn(page);
        assert.deepEqual(await page.evaluate(layoutFaults), [], `stop ${stop}`);
        const task = tour === "first" && TASKS[stop];
        if (Array.isArray(task)) for (const arc of task) await hand.meet(arc);
        else if (task) await hand.press(task);
        if (task) await page.waitForSelector("#tour-task.done");
        if (stop === 5) assert.deepEqual(await findings(page), []);
        await hand.press("#tour-next");
    }
    assert.ok(await page.isHidden("#tour"));
}

/** What of a stop cannot be seen as it should. */
function layoutFaults() {
    const box = (id) => document.getElementById(id).getBoundingClientRect();
    document.activeElement.scrollIntoView({ block: "nearest" });
    const tour = box("tour"), ring = box("ring");
    const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const g = ringleader.page.ring.geometry(ring.width, ring.height);
    const bottom = Math.min(innerHeight, getComputedStyle(document.getElementById("controls")).position === "sticky"
        ? box("controls").top : Infinity);
    const faults = {
        "the page is too wide": document.documentElement.scrollWidth > document.documentElement.clientWidth,
        "the card covers the ring": overlaps(tour, ring),
        "the card covers the controls": overlaps(tour, box("controls")),
        "text of the card is cut off": [...document.querySelectorAll("#tour *")].some((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0),
        "the way on is not to be seen": box("tour-next").bottom > innerHeight,
        "a part of the ring is not to be seen": ring.top + g.cy + g.radius + g.disc > bottom + 1,
    };
    return Object.keys(faults).filter((fault) => faults[fault]);
}

/** What axe has to say. */
async function findings(page) {
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    return violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.target).join(" ")}`);
}

describePage("tours and lectures", () => {
    for (const colorScheme of ["light", "dark"])
        for (const [way, Hand, options, usual] of [["by keyboard alone", Keyboard, { viewport: DESKTOP }, "first light"],
            ["by touch", Finger, { viewport: PHONE, isMobile: true, hasTouch: true }, "paper dark"],
            ["at 200 %", Mouse, { viewport: ZOOMED }, "first dark"]])
            for (const tour of ["first", "paper"])
                if (isFull || usual === `${tour} ${colorScheme}`) test(`the ${tour} tour is walked from end to end ${way}, ${colorScheme}`, async ({ open }) => {
                    const { page } = await open(undefined, { ...options, colorScheme });
                    await page.evaluate(() => { ringleader.page.tour.pause = 20; });
                    await walk(page, new Hand(page), tour);
                });

    test("two rings go on one clock, and each is what it is alone", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=leaders&seed=6&beside=fj06.leaders");
        await runToTarget(page);
        await page.waitForFunction(() => ringleader.page.compare.execution.machine.step === ringleader.machine.step);
        const [ours, theirs] = [[], ["-p", "fj06"]].map((which) => native("elect", ...which, "-n", "20", "--start", "leaders", "--seed", "6").steps);
        assert.equal(await step(page), Math.max(ours, theirs)); // it ran until both were done
        for (const steps of [ours, theirs]) assert.match(await page.textContent("#verdict"), new RegExp(`first: .*\\b${steps.toLocaleString("en-US")}\\b`));
        const said = await words(page, "timeline");
        assert.ok(said.some((word) => /^fj06: /.test(word)), "its hit is on the same axis");
        const beside = await page.evaluate(() => ringleader.page.compare.execution.machine.configuration());
        const { page: alone } = await open(`#p=fj06&n=20&start=leaders&seed=6&at=${await step(page)}`);
        assert.equal(beside, await configuration(alone));
        await page.click("#rival-close");
        assert.ok(await page.isHidden("#rival-stage"));
    });

    test("the ring is saved as SVG and PNG, and a stretch of it as a film", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=random&seed=6", { viewport: { width: 800, height: 500 } });
        const files = {};
        const save = async (kind) => {
            await page.click("#save summary");
            const download = page.waitForEvent("download");
            await page.click(`#save-${kind}`);
            files[kind] = readFileSync(await (await download).path());
        };
        for (const kind of ["svg", "png", "film", "gif"]) {
            if (kind === "film" || kind === "gif") {
                await page.click("#save summary");
                await page.click("#save-film");
                const begin = await step(page);
                await page.click("#play");
                await page.waitForFunction((begin) => ringleader.machine.step > begin + 5, begin);
            }
            await save(kind);
            if (await page.textContent("#play-word") === "Pause") await page.click("#play");
        }
        assert.match(files.svg.toString(), /^<svg [^>]*>.*<path .*<\/svg>\s*$/s);
        assert.equal((files.svg.toString().match(/<text/g) ?? []).length >= 20, true);
        assert.equal(files.png.subarray(1, 4).toString(), "PNG");
        for (const [kind, type] of [["film", "image/png"], ["gif", "image/gif"]]) {
        const film = await page.evaluate(async ([bytes, type]) => { // read by the browser's own decoder
            const decoder = new ImageDecoder({ type, data: Uint8Array.from(bytes) });
            await Promise.all([decoder.tracks.ready, decoder.completed]);
            const { frameCount } = decoder.tracks.selectedTrack;
            const looks = new Set();
            for (let frameIndex = 0; frameIndex < Math.min(frameCount, 6); frameIndex++) {
                const { image } = await decoder.decode({ frameIndex });
                const c = Object.assign(document.createElement("canvas"), { width: image.displayWidth, height: image.displayHeight });
                c.getContext("2d").drawImage(image, 0, 0);
                looks.add(c.toDataURL());
            }
            return { frameCount, looks: looks.size };
        }, [[...files[kind]], type]);
        assert.ok(film.frameCount >= 3, `${film.frameCount} pictures`);
        assert.ok(film.looks >= 3, `${film.looks} different pictures`);
        }
    });

    for (const colorScheme of ["light", "dark"])
        for (const [size, viewport, show] of [["desktop", DESKTOP, "log"], ["phone", PHONE, "log"],
            ["desktop, the rule", DESKTOP, "rule"], ["phone, the proof", PHONE, "proof"], ["200 % zoom", ZOOMED, "proof"]])
            if (isFull || (colorScheme === "light") === (show === "log")) test(`axe finds nothing: ${colorScheme}, ${size}`, async ({ open }) => {
                const { page } = await open(`#p=prl&n=24&start=random&seed=3&at=40&show=${show}`, { colorScheme, viewport });
                await page.click("#one-event");
                await page.click("#ring", { position: await place(page, 3) });
                await page.click("#tour-first");
                assert.deepEqual(await findings(page), []);
            });
});
