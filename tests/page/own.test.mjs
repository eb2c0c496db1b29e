// SPDX-License-Identifier: MIT
//
// Pages that `ringleader page` makes, opened from disk in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { build, configuration, describePage, runToTarget, step, test } from "./browser.mjs";

const scratch = mkdtempSync(join(tmpdir(), "ringleader-page-"));
const env = { ...process.env, XDG_CACHE_HOME: join(scratch, "cache") };
const ringleader = (...words) => execFileSync(resolve(build, "ringleader"), words, { cwd: scratch, env }).toString();
const native = (...words) => JSON.parse(ringleader("elect", ...words, "--json"));
const ripple = { file: join(scratch, "ripple.html") }, mine = { file: join(scratch, "mine.html") };

before(() => {
    ringleader("new", "ripple");
    ringleader("new", "mine", "--like", "fj06");
    // A second file, and characters that strings of C and JSON do not like.
    writeFileSync(join(scratch, "more.h"), "/* tab\t, \"quotes\", \\back\\, ??/, \u00e9 */\n");
    appendFileSync(join(scratch, "mine.c"), "#include \"more.h\"\n");
    writeFileSync(join(scratch, "left.c"), `#define BULLETS_FLY_LEFT\n${readFileSync(join(scratch, "ripple.c"))}`);
    for (const name of ["ripple", "left"]) ringleader("page", "-p", `${name}.c`, "-o", `${name}.html`);
    ringleader("page", "-p", "mine.c", "-o", "mine.html");
});
after(() => rmSync(scratch, { recursive: true }));

describePage("a page with a protocol of one's own", () => {
    test("opens with it, has ours too, and needs nothing else", async ({ open }) => {
        const { page, seen } = await open("", ripple);
        const names = await page.$$eval("#protocol option", (options) => options.map((o) => o.value));
        assert.equal(names[0], "ripple");
        assert.ok(names.includes("prl") && names.length > 10);
        assert.equal(await page.inputValue("#protocol"), "ripple");
        assert.equal(seen.requests.filter((url) => !url.startsWith("data:")).length, 1);
    });

    test("settles since the step that elect prints, and is seen to", async ({ open }) => {
        const { page } = await open("#p=ripple&n=16&seed=3", ripple);
        await runToTarget(page);
        const { steps, leader } = native("-p", "ripple.c", "-n", "16", "--seed", "3");
        assert.equal(await step(page), steps);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), leader);
        // Asked once more it goes on to where that is known, and does not run for ever.
        await runToTarget(page);
        assert.equal(await page.evaluate(() => ringleader.machine.hit(0)), steps);
        assert.ok(await step(page) > steps);
    });

    test("hits the sets that the file declares where elect does, on forty rings", async ({ open }) => {
        const { page } = await open("", mine);
        for (let seed = 1; seed <= 40; seed++) {
            const n = 4 + seed % 20;
            const found = await page.evaluate(([n, seed]) =>
                ringleader.elect({ protocol: "mine", n, parameters: {}, start: "random", seed: BigInt(seed) }), [n, seed]);
            const elected = native("-p", "mine.c", "-n", String(n), "--seed", String(seed));
            assert.equal(found.steps, elected.steps);
            assert.equal(found.events, elected.events);
            assert.deepEqual(found.hits, Object.values(elected.hits));
        }
    });

    test("shows its variables, its log in words and its rule", async ({ open }) => {
        const { page } = await open("#p=ripple&n=8&seed=1", ripple);
        await page.click("#one-event");
        const words = await page.evaluate(() => ringleader.machine.explain(0));
        assert.ok(words.length > 0 && words.every((line) => /u_\d/.test(line)), words.join());
        assert.match(await page.textContent("#commentary"), /u\d/);
        await page.evaluate(() => ringleader.page.choose(3));
        const agent = await page.textContent("#inspector-body");
        for (const variable of ["dist", "leader", "bullet", "shield", "signal"])
            assert.match(agent, new RegExp(variable));
        const { page: rule } = await open("#p=ripple&n=8&show=rule", ripple);
        assert.match(await rule.textContent(".listing"), /if \(l->bullet && r->leader\) \{/);
    });

    test("draws its bullets to the left if it says that they fly there", async ({ open }) => {
        for (const [name, leftward] of [["ripple", 0], ["left", 32]]) {
            const { page } = await open(`#p=${name}&n=8&seed=1`, { file: join(scratch, `${name}.html`) });
            assert.ok((await page.evaluate(() => [...ringleader.machine.marks()])).every((mark) => (mark & 32) === leftward), name);
        }
    });

    test("has links that open the same ring at the same step", async ({ open }) => {
        const { page } = await open("#p=ripple&n=12&N=20&seed=5&start=random", ripple);
        await runToTarget(page);
        const fragment = new URL(page.url()).hash;
        assert.match(fragment, /p=ripple.*N=20/);
        const before = await configuration(page);
        const { page: again } = await open(fragment, ripple);
        assert.equal(await configuration(again), before);
    });
});
