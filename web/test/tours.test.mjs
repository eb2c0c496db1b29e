// SPDX-License-Identifier: MIT
//
// Tours, comparison, pictures to take away; all of it by keyboard, by touch, large and dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { axe, configuration, describePage, DESKTOP, PHONE, place, runToTarget, step, test,
    ZOOMED } from "../browser.mjs";

describePage("tours and lectures", () => {
    test("both tours are walked from end to end by keyboard alone", async ({ open }) => {
        for (const [button, stops] of [["#tour-first", 10], ["#tour-paper", 7]]) {
            const { page } = await open();
            await page.focus(button);
            await page.keyboard.press("Enter");
            let pressed = 0;
            for (; pressed < 60 && await page.isVisible("#tour"); pressed++) {
                if (await page.isVisible("#tour-show")) {
                    await page.focus("#tour-show");
                    await page.keyboard.press("Enter");
                    await page.waitForFunction(() => document.querySelector("#tour-task").classList.contains("done"), null, { timeout: 30000 });
                }
                await page.keyboard.press("PageDown");
            }
            assert.ok(pressed >= stops);
        }
    });

    test("both tours are walked by touch, and every task can be done by hand", async ({ open }) => {
        const { page } = await open("", { viewport: PHONE, isMobile: true, hasTouch: true });
        await page.tap("#tour-first");
        for (let taps = 0; taps < 60 && await page.isVisible("#tour"); taps++) {
            assert.ok(await page.evaluate((width) => document.documentElement.scrollWidth - width, PHONE.width) <= 0);
            await page.tap("#tour-next");
        }
        assert.ok(await page.isHidden("#tour"));
        await page.tap("#tour-first");
        await page.tap("#tour-next");
        await page.tap("#tour-next");
        await page.tap("#tour-next");
        for (const arc of [0.5, 1.5, 2.5]) await page.tap("#ring", { position: await place(page, arc) });
        await page.waitForSelector("#tour-task.done");
    });

    test("two rings go on one clock, and each is what it is alone", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=leaders&seed=6&beside=fj06.leaders");
        await runToTarget(page);
        await page.waitForFunction(() => ringleader.page.compare.execution.machine.step === ringleader.machine.step);
        const beside = await page.evaluate(() => ringleader.page.compare.execution.machine.configuration());
        const { page: alone } = await open(`#p=fj06&n=20&start=leaders&seed=6&at=${await step(page)}`);
        assert.equal(beside, await configuration(alone));
        await page.click("#rival-close");
        assert.ok(await page.isHidden("#rival-stage"));
    });

    test("the ring is saved as SVG and PNG, and a stretch of it as a film", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=random&seed=6");
        const files = {};
        for (const kind of ["svg", "png", "film"]) {
            await page.click("#save summary");
            if (kind === "film") {
                await page.click("#save-film");
                await page.click("#play");
                await page.waitForFunction(() => ringleader.machine.step > 5);
            }
            const download = page.waitForEvent("download");
            await page.click(`#save-${kind}`);
            files[kind] = readFileSync(await (await download).path());
            await page.click("#save summary");
        }
        assert.match(files.svg.toString(), /^<svg [^>]*>.*<path .*<\/svg>\s*$/s);
        assert.equal((files.svg.toString().match(/<text/g) ?? []).length >= 20, true);
        assert.equal(files.png.subarray(1, 4).toString(), "PNG");
        assert.equal(files.film.readUInt32BE(0), 0x1a45dfa3);
        assert.ok(files.film.length > 2000);
    });

    for (const colorScheme of ["light", "dark"])
        for (const [size, viewport, show] of [["desktop", DESKTOP, "log"], ["phone", PHONE, "log"],
            ["desktop, the rule", DESKTOP, "rule"], ["phone, the proof", PHONE, "proof"], ["200 % zoom", ZOOMED, "proof"]])
            test(`axe finds no serious problem: ${colorScheme}, ${size}`, async ({ open }) => {
                const { page } = await open(`#p=prl&n=24&start=random&seed=3&at=40&show=${show}`, { colorScheme, viewport });
                await page.click("#one-event");
                await page.click("#ring", { position: await place(page, 3) });
                await page.click("#tour-first");
                await page.addScriptTag({ content: axe });
                const { violations } = await page.evaluate(() => globalThis.axe.run());
                const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical")
                    .map((v) => `${v.id}: ${v.nodes.map((node) => node.target).join(" ")}`);
                assert.deepEqual(serious, []);
            });
});
