// SPDX-License-Identifier: MIT
//
// The first minute, as three people spend it; what it looks like is kept in tests/page.
import assert from "node:assert/strict";
import { describePage, drawn, minute, PHONE, RING, test } from "./browser.mjs";

/** Words that nobody has been told the meaning of by then. */
const UNDEFINED = /\b(?:[CS]_?(?:PB|NI|RL)|engine|landmark|seed|protocol|dist|parallel|execution|event|bullet-absence|dummy|configuration|algorithm|self-stabilizing)\b/i;

const textOf = (page) => page.evaluate(() => document.body.innerText);

describePage("the first minute", () => {
    const understood = (page) => async () => assert.doesNotMatch(await textOf(page), UNDEFINED);

    test("somebody who only presses the big button comes to the tour and meets no undefined word", async ({ open }) => {
        const { page } = await open("");
        const read = understood(page);
        await minute(page, () => page.click("#big"), read);
        await page.click("#doors button"); // the largest
        for (let i = 0; i < 6; i++) {
            await read();
            await page.click("#tour-next");
        }
    });

    test("somebody who scrolls sees the same, and nothing else", async ({ open }) => {
        const { page } = await open("", { viewport: PHONE, isMobile: true, hasTouch: true });
        const read = async () => {
            await page.mouse.wheel(0, 2000);
            assert.equal(await page.evaluate(() => scrollY), 0);
            await understood(page)();
        };
        await minute(page, () => page.tap("#big"), read);
        await page.tap("text=Let me play");
        await page.mouse.wheel(0, 800);
        assert.ok(await page.isVisible("#ring"), "the ring stays in sight");
    });

    test("somebody with a keyboard gets there by Tab and Enter", async ({ open }) => {
        const { page } = await open("");
        const read = understood(page), here = () => page.evaluate(() => document.activeElement.id);
        await minute(page, async () => {
            for (let i = 0; i < 5 && await here() !== "big"; i++) await page.keyboard.press("Tab");
            await page.keyboard.press("Enter");
        }, read);
        await page.keyboard.press("Enter"); // the first door has the focus
        assert.match(await page.textContent("#tour-place"), /1 of 10/);
        await read();
    });

    test("it begins by itself, ends in about twenty seconds and pauses; with reduced motion it waits", async ({ open }) => {
        const { page } = await open("");
        await page.waitForFunction(() => ringleader.machine.step > 4);
        const seconds = await page.evaluate(() => {
            const { player, scout } = Object.assign(ringleader.page.player, { player: ringleader.page.player });
            return (scout.machine.hit(scout.machine.protocol.target) - ringleader.machine.step) / player.pace;
        });
        assert.ok(seconds > 12 && seconds <= 21, `${seconds} seconds to go`);
        const { page: still } = await open("", { reducedMotion: "reduce" });
        await drawn(still);
        assert.equal(await still.evaluate(() => ringleader.machine.step), 0);
        assert.equal(await still.textContent("#big"), "Play");
    });

    test("Play ends in half a minute, whatever n", async ({ open }) => {
        const { page } = await open();
        for (const link of ["#p=prl&n=8&start=random&seed=1", RING, "#p=prl&n=1000&start=random&seed=1", "#p=fj06&n=64&start=random&seed=2"]) {
            await page.evaluate((link) => ringleader.page.openLink(link), link);
            const seconds = await page.evaluate(async () => {
                const { player, execution } = ringleader.page, { machine } = execution;
                ringleader.page.play();
                const { scout } = player, { target } = machine.protocol;
                while (scout.machine.hit(target) < 0) player.plan(0);
                player.plan(0);
                const left = (scout.machine.hit(target) - machine.step) / player.pace;
                player.pause();
                return left;
            });
            assert.ok(seconds > 0 && seconds <= 30.1, `${link}: ${seconds}`);
        }
    });

    test("About leads on, and ? lists the keys", async ({ open }) => {
        const { page } = await open();
        await page.click("#about-open");
        assert.match(await page.getAttribute("#about a", "href"), /arxiv\.org\/abs\/2009\.10926/);
        for (const word of [/Yokota/, /docs\/proof\.md/, /README\.md/, /To cite\. .*Ringleader \d/s]) assert.match(await page.innerText("#about"), word);
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        assert.match(await page.innerText("#keys"), /Space\s+Play or pause/);
        await page.mouse.click(5, 5); // beside it
        assert.ok(await page.isHidden("#keys"));
    });

    test("an agent is crowned and corrupted where it stands, and a large ring is shown as space-time if one likes", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=safe&seed=2");
        const agent = (await page.evaluate(() => ringleader.machine.leader) + 3) % 12;
        await page.evaluate((agent) => ringleader.page.choose(agent), agent);
        await page.click("#crown-it");
        assert.equal(await page.evaluate(() => ringleader.machine.gauges()[0]), 2);
        assert.equal(await page.textContent("#crown-it"), "Take its crown");
        const deeds = await page.evaluate(() => ringleader.page.execution.view.deeds.length);
        await page.click("#corrupt-it");
        assert.equal(await page.evaluate(() => ringleader.page.execution.view.deeds.length), deeds + 5);
        await page.evaluate(() => ringleader.page.openLink("#p=prl&n=400&start=random&seed=1&at=20000"));
        const looks = () => page.evaluate(() => document.querySelector("#ring").toDataURL());
        await drawn(page);
        const table = await looks();
        await page.click("#widen");
        await drawn(page);
        assert.notEqual(await looks(), table);
    });
});
