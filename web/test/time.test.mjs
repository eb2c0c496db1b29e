// SPDX-License-Identifier: MIT
//
// Time that is walked both ways; the rule and the proof beside the ring.
import assert from "node:assert/strict";
import { configuration, describePage, drawn, number, paused, place, runToTarget, step, test,
    visit } from "../browser.mjs";

describePage("time, the rule and the proof", () => {
    test("200 jumps in an execution of 100,000 events stand where a fresh run stands", async ({ open }) => {
        for (const link of ["#p=prl&n=300&start=leaderless&seed=3", "#p=fj06&n=60&start=opposite&seed=3&do=5000.fault.9_9000.set.3.1.1_9000.arc.7",
            "#p=prl-undirected&n=12&start=random&seed=4"]) {
            const { page } = await open(link);
            const differing = await page.evaluate((link) => {
                const { execution } = ringleader.page, { machine } = execution;
                while (machine.events < 1e5 && !execution.stuck) execution.advance(Infinity);
                const end = execution.furthest;
                let seed = 12345;
                const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
                const wanted = Array.from({ length: 200 }, () => Math.floor(random() * end));
                const jumped = wanted.map((step) => { execution.goTo(step); return [machine.step, machine.events, machine.configuration(), ...machine.protocol.sets.map((_, i) => machine.hit(i))].join(); });
                const order = wanted.map((step, i) => [step, i]).sort((a, b) => a[0] - b[0]);
                location.hash = "";
                ringleader.page.openLink(link); // afresh, and only forwards
                return order.filter(([step, i]) => {
                    while (machine.step < step) execution.advance(step);
                    return [machine.step, machine.events, machine.configuration(), ...machine.protocol.sets.map((_, i) => machine.hit(i))].join() !== jumped[i];
                }).map(([step]) => step);
            }, link);
            assert.deepEqual(differing, [], link);
        }
    });

    test("steps, events and landmarks are walked back as they came", async ({ open }) => {
        const { page } = await open("#p=prl&n=16&start=random&seed=9");
        const seen = [];
        for (let i = 0; i < 12; i++) {
            seen.push([await step(page), await configuration(page)]);
            await page.click("#one-event");
        }
        for (const [at, words] of seen.reverse()) {
            await page.click("#back-event");
            if (at > 0) assert.equal(await step(page), at);
            assert.equal(await configuration(page), words);
        }
        await page.click("#next-landmark");
        await paused(page);
        const first = await step(page);
        assert.ok(first > 0);
        await page.click("#next-landmark");
        await paused(page);
        assert.ok(await step(page) > first);
        await page.click("#last-landmark");
        assert.equal(await step(page), first);
    });

    test("the timeline is dragged to any step, and what is done there makes another future", async ({ open }) => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7");
        await runToTarget(page);
        const end = await page.evaluate(() => ringleader.page.execution.furthest);
        const box = await page.locator("#timeline").boundingBox();
        await page.mouse.move(box.x + box.width * 0.8, box.y + 60);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
        await page.mouse.up();
        const middle = await step(page);
        assert.ok(middle > end * 0.4 && middle < end * 0.6);
        const leaders = await number(page, "#leaders");
        await page.click("#crown");
        assert.equal(await number(page, "#leaders"), 32);
        assert.notEqual(leaders, 32);
        assert.equal(await page.evaluate(() => ringleader.page.execution.furthest), middle);
        const link = await page.evaluate(() => location.hash);
        assert.match(link, new RegExp(`do=${middle}\\.crown`));
        await page.click("#undo");
        assert.equal(await step(page), 0);
    });

    // ---- the rule and the proof --------------------------------------------------------------

    test("overlay and lit lines agree with the sets and with what is explained, 1000 times", async ({ open }) => {
        const { page } = await open();
        const wrong = await page.evaluate(() => {
            const { machine } = ringleader;
            const found = [];
            let tried = 0;
            for (const protocol of machine.protocols) {
                if (protocol.obstacles.length === 0) continue;
                for (let seed = 0; seed < 1000; seed++) {
                    const start = protocol.starts[seed % protocol.starts.length].name;
                    try {
                        machine.open({ protocol: protocol.name, n: 3 + (seed % 9), parameters: {}, start, seed: BigInt(seed), trial: 0n, engine: "event" });
                    } catch { continue; }
                    machine.advance(seed % 40, 4096);
                    tried++;
                    const flags = machine.obstacles();
                    protocol.sets.forEach((_, s) => {
                        const free = !flags.some((flag) => protocol.obstacles.some((o, k) => o.set <= s && flag & (1 << k)));
                        if (free !== machine.hit(s) >= 0) found.push([protocol.name, seed, s, machine.configuration()].join(" "));
                    });
                }
            }
            return { found, tried };
        });
        assert.deepEqual(wrong.found, []);
        assert.ok(wrong.tried >= 1000, `${wrong.tried} configurations`);
        await visit(page, "#p=prl&n=16&start=random&seed=4&show=rule");
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press("e");
            await drawn(page);
            const [lit, said] = await page.evaluate(() => [
                [...document.querySelectorAll("#rule .lit")].map((line) => parseInt(line.textContent)),
                ringleader.machine.explain(0)]);
            const lines = said.flatMap((sentence) => {
                const [, from, to] = /lines? (\d+)(?:-(\d+))?$/.exec(sentence);
                return Array.from({ length: (to ?? from) - from + 1 }, (_, k) => Number(from) + k);
            });
            assert.deepEqual(lit, [...new Set(lines)].sort((a, b) => a - b), said.join("; "));
        }
    });

    test("what an interaction changed stands beside the rule", async ({ open }) => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7&show=rule");
        await page.click("#ring", { position: await place(page, 0.5) });
        await drawn(page);
        assert.match(await page.textContent("#rule .meeting"), /l = u0 met r = u1.*l\.shield: 0 \u2192 1.*l\.signal: 1 \u2192 0.*r\.bullet: 0 \u2192 2/);
        assert.match(await page.getAttribute("#rule a", "href"), /2009\.10926/);
    });
});
