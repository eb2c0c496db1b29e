// SPDX-License-Identifier: MIT
//
// Time that is walked both ways; the rule and the proof beside the ring.
import assert from "node:assert/strict";
import { configuration, describePage, drawn, number, paused, place, runToTarget, step, test,
    visit } from "./browser.mjs";

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

    test("a jump does again a small share of what was done, and memory stays as it is", async ({ open }) => {
        const { page } = await open();
        for (const engine of ["event", "step"]) {
            await visit(page, `#p=prl&n=2000&start=random&seed=2&engine=${engine}`);
            const found = await page.evaluate((byStep) => {
                const { execution } = ringleader.page, { machine, record } = execution;
                const runTo = (events) => { while (machine.events < events) execution.advance(Infinity); };
                const size = () => machine.c.memory.buffer.byteLength;
                runTo(byStep ? 20000 : 250000); // every place for a snapshot has been used by now
                const before = size();
                runTo(byStep ? 60000 : 1000000);
                const done = byStep ? machine.step : machine.events, end = execution.furthest;
                let work = 0, most = 0;
                const advance = machine.advance.bind(machine);
                machine.advance = (until, events) => {
                    const from = machine.step, count = advance(until, events);
                    work += byStep ? machine.step - from : count;
                    return count;
                };
                for (let i = 0; i < 60; i++) {
                    work = 0;
                    execution.goTo(Math.floor((end * ((i * 37) % 60)) / 60));
                    most = Math.max(most, work);
                }
                delete machine.advance;
                return { grown: size() - before, share: most / done, snapshots: execution.snapshots.length,
                    rows: record.rows.length, landmarks: record.landmarks.length };
            }, engine === "step");
            assert.equal(found.grown, 0);
            assert.ok(found.share <= 1 / 20, `${engine}: a share of ${found.share}`);
            assert.ok(found.snapshots <= 48 && found.rows <= 641 && found.landmarks <= 20000, JSON.stringify(found));
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

    test("the overlay agrees with the sets, in 1000 configurations of every protocol that has one", async ({ open }) => {
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
                    if (seed % 2) machine.advance(seed % 40, 4096);
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
    });

    test("the lines that are lit are those that the explanation names, in every protocol that names lines", async ({ open }) => {
        const { page } = await open();
        const names = await page.evaluate(() => ringleader.machine.protocols.map((p) => p.name));
        const lighting = [];
        for (const name of names) {
            await visit(page, `#p=${name}&n=7&start=random&seed=4&show=rule`);
            const lit = await page.evaluate(async () => {
                const found = { differing: [], lit: 0, unknown: [] };
                const { page } = ringleader, { machine } = ringleader;
                for (let i = 0; i < 1000; i++) {
                    if (i % 25 === 0) { // elsewhere: from a state that few runs come to
                        page.open({ request: { ...page.execution.request, seed: BigInt(i) }, deeds: [], at: 0 });
                        page.tabs.show("rule");
                    }
                    page.player.oneEvent(0);
                    page.rule.show();
                    if (machine.lastCount === 0) continue;
                    const said = machine.explain(0), wanted = new Set();
                    for (const sentence of said) {
                        const [, from, to] = /: lines? (\d+)(?:-(\d+))?$/.exec(sentence) ?? [];
                        for (let line = Number(from); line <= Number(to ?? from); line++) wanted.add(line);
                    }
                    const lines = [...document.querySelectorAll("#rule .lit")].map((line) => parseInt(line.textContent));
                    const listed = new Set([...document.querySelectorAll("#rule code")].map((line) => parseInt(line.textContent)));
                    if ([...wanted].sort((a, b) => a - b).join() !== lines.join()) found.differing.push(said.join("; "));
                    found.unknown.push(...[...wanted].filter((line) => !listed.has(line)));
                    found.lit += lines.length;
                }
                return found;
            });
            assert.deepEqual(lit.differing, [], name);
            assert.deepEqual(lit.unknown, [], `lines of ${name} that its listing has not`);
            if (lit.lit > 0) lighting.push(name);
        }
        for (const name of ["prl", "prl-dummy", "prl-oracle", "fj06", "aaf08", "fj06-undirected"]) assert.ok(lighting.includes(name), name);
    });

    test("what an interaction changed stands beside the rule", async ({ open }) => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7&show=rule");
        await page.click("#ring", { position: await place(page, 0.5) });
        await drawn(page);
        assert.match(await page.textContent("#rule .meeting"), /l = u0 met r = u1.*l\.shield: 0 \u2192 1.*l\.signal: 1 \u2192 0.*r\.bullet: 0 \u2192 2/);
        assert.match(await page.getAttribute("#rule a", "href"), /2009\.10926/);
    });
});
