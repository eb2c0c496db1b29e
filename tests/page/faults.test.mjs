// SPDX-License-Identifier: MIT
//
// Faults that the page once had, each as a person met it.
import assert from "node:assert/strict";
import { calls, configuration, describePage, DESKTOP, drawn, native, number, PHONE, place,
    runToTarget, step, test, visit, words, ZOOMED } from "./browser.mjs";

describePage("faults that were seen once", () => {
    test("what is no number of agents is refused with the reason, and the page goes on", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=random&seed=1");
        for (const [field, value, reason] of [["#n", "2.5", /whole number/], ["#n", "-5", /whole number/],
            ["#n", "", /whole number/], ["#seed", "hello", /seed/], ["#seed", "99999999999999999999", /2\^64/], ["#parameters input", "10", /N = 10 is below n = 20/]]) {
            const before = await page.inputValue(field);
            await page.fill(field, value);
            await page.press(field, "Tab");
            assert.match(await page.textContent("#problem"), reason, value);
            await page.fill(field, before);
            await page.press(field, "Tab");
            assert.equal(await page.textContent("#problem"), "");
        }
        await page.click("#one-step");
        assert.equal(await number(page, "#step"), 1);
    });

    test("an impossible value of a variable is refused with what is possible", async ({ open }) => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=2");
        await page.click("#ring", { position: await place(page, 3) });
        const before = await configuration(page);
        await page.getByLabel("dist", { exact: true }).fill("99");
        await page.getByLabel("dist", { exact: true }).press("Tab");
        assert.match(await page.textContent("#inspector-problem"), /from 0 to 40, not .99/);
        assert.equal(await configuration(page), before);
    });

    test("a run to the target records every change of leaders, and its pictures are true", async ({ open }) => {
        for (const [n, seed] of [[32, 7], [2000, 2]]) {
            const { page } = await open(`#p=prl&n=${n}&start=random&seed=${seed}`);
            await runToTarget(page);
            const found = await page.evaluate(() => {
                const { execution } = ringleader.page, { record, machine } = execution;
                const end = machine.step, changes = record.landmarks.filter((l) => l.kind === "change" && l.step <= end);
                const made = changes.filter((l) => l.lines.some((line) => /became a leader/.test(line))).length;
                const rows = record.rows.filter((row, i, all) => row.step <= end && all[i + 1]?.step !== row.step);
                const first = record.rows[0].gauges[0], last = machine.gauges()[0];
                const wrong = rows.filter((_, i) => i % 7 === 0).filter((row) => {
                    execution.goTo(row.step);
                    return machine.gauges().join() !== row.gauges.join();
                }).map((row) => row.step);
                return { end, rows: rows.length, wrong, untold: record.untold, net: 2 * made - changes.length, change: last - first };
            });
            assert.equal(found.end, native("elect", "-n", String(n), "--seed", String(seed)).steps);
            assert.equal(found.untold, 0);
            assert.equal(found.net, found.change); // no leader came or went unseen
            assert.ok(found.rows > 100, `${found.rows} rows`);
            assert.deepEqual(found.wrong, []);
        }
    });

    test("at the default size an arc is clicked, and the hint says so only where it is so", async ({ open }) => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7");
        assert.match(await page.textContent("#inspector-hint"), /click the arc/);
        await page.click("#ring", { position: await place(page, 5.5) });
        assert.equal(await step(page), 1);
        assert.match(await page.evaluate(() => location.hash), /do=0\.arc\.5/);
        await visit(page, "#p=prl&n=300&start=random&seed=7");
        await drawn(page);
        assert.doesNotMatch(await page.textContent("#inspector-hint"), /click the arc/);
    });

    test("a fault that a link brings is in the log and in both pictures", async ({ open }) => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=5&do=600.fault.20&at=700");
        await drawn(page);
        assert.match(await page.textContent("#commentary"), /600\s*you gave 20 random agents random states/);
        const marks = await page.evaluate(() => ringleader.page.execution.record.landmarks
            .filter((l) => l.label).map((l) => [l.step, l.label]));
        assert.ok(marks.some(([step, label]) => step === 600 && label === "fault"));
    });

    test("who leaves a tour's stop is left alone by it", async ({ open }) => {
        const { page } = await open();
        await page.click("#tour-paper");
        await page.click("#tour-next");
        await page.click("#tour-next");
        await page.waitForFunction(() => ringleader.machine.step >= 1);
        await page.selectOption("#protocol", "fj06");
        assert.equal(await page.evaluate(() => ringleader.machine.protocol.name), "fj06");
        await page.waitForTimeout(1600); // longer than the tour's pause between two interactions
        assert.equal(await step(page), 0);
    });

    test("a tapped agent is told of right under the ring, on a phone", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5", { viewport: PHONE, isMobile: true, hasTouch: true });
        await page.tap("#ring", { position: await place(page, 3) });
        await drawn(page);
        const [stage, inspector] = await page.evaluate(() => [".canvas-box", "#inspector"]
            .map((id) => document.querySelector(id).getBoundingClientRect().toJSON()));
        assert.ok(inspector.top >= stage.bottom && inspector.top < stage.bottom + 30);
        assert.ok(inspector.top < PHONE.height - 40, `it begins at ${inspector.top}`);
    });

    for (const [where, options, sizes] of [
        ["on a phone with few agents", { viewport: PHONE, isMobile: true, hasTouch: true }, [3, 6, 12, 24]],
        ["at 200 % beside the tour", { viewport: { width: 720, height: 450 } }, [8, 12]]])
        test(`the words in the middle stay clear of what is drawn, ${where}`, async ({ open }) => {
            const { page } = await open(undefined, options);
            if (!options.isMobile) await page.click("#tour-paper");
            for (const n of sizes) {
                await visit(page, `#p=prl&n=${n}&start=random&seed=5`);
                await drawn(page);
                const clear = await page.evaluate(() => {
                    const { ring } = ringleader.page;
                    const g = ring.geometry(ring.canvas.clientWidth, ring.canvas.clientHeight);
                    const box = ring.canvas.getBoundingClientRect();
                    const room = g.signalLane - g.signal / 2;
                    return [...document.querySelectorAll("#centre *")].filter((e) => e.children.length === 0 && e.offsetParent)
                        .map((e) => e.getBoundingClientRect()).filter((r) => r.width > 0)
                        .every((r) => [[r.left, r.top], [r.right, r.top], [r.left, r.bottom], [r.right, r.bottom]]
                            .every(([x, y]) => Math.hypot(x - box.left - g.cx, y - box.top - g.cy) <= room + 2));
                });
                assert.ok(clear, `n = ${n}`);
            }
        });

    test("the inspector shows the agent as it is after a run, and the log is in order", async ({ open }) => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7");
        await page.click("#ring", { position: await place(page, 4) });
        await runToTarget(page);
        await drawn(page);
        assert.equal(await page.textContent("#agent-state"), await page.evaluate(() => ringleader.machine.state(4)));
        const steps = (await page.locator("#commentary .when").allTextContents()).map((t) => Number(t.replaceAll(",", "")));
        assert.ok(steps.length > 10);
        assert.deepEqual(steps, [...steps].sort((a, b) => b - a));
    });

    test("several hits at one step are all named in the pictures, and labels hide nothing", async ({ open }) => {
        const { page } = await open("#p=prl&n=16&start=safe&seed=3");
        for (const view of ["timeline", "spacetime"]) {
            const said = await words(page, view);
            for (const index of ["PB", "NI", "RL"]) assert.ok(said.includes(index), `${index} in ${said}`);
            assert.ok(said.every((word) => !/_/.test(word)), "no raw index");
        }
        const made = await calls(page, "spacetime", "drawImage", "fillText");
        const right = made.find(({ name }) => name === "drawImage").all.reduce((x, width, i) => i === 0 || i === 2 ? x + width : x, 0);
        assert.deepEqual(made.filter(({ name, all: [text, x, y] }) => name === "fillText" && /[A-Z]/.test(text) && x < right && y > 16), []);
    });

    test("a large ring shows indices, its leaders and the legend of what is drawn", async ({ open }) => {
        const { page } = await open("#p=prl&n=20000&start=random&seed=1&at=200000");
        assert.ok((await words(page, "ring")).filter((word) => Number(word) % 20 === 0).length > 20, "indices"); // u_0, u_220, ...
        const found = await page.evaluate(() => {
            const canvas = document.querySelector("#ring");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const gold = getComputedStyle(document.documentElement).getPropertyValue("--leader").trim();
            const [r, g, b] = [1, 3, 5].map((i) => parseInt(gold.slice(i, i + 2), 16));
            let golden = 0;
            for (let i = 0; i < data.length; i += 4) golden += data[i] === r && data[i + 1] === g && data[i + 2] === b;
            return { golden, leaders: ringleader.machine.gauges()[0], colours: new Set(ringleader.page.execution.record.rows.at(-1).cells).size };
        });
        assert.ok(found.golden >= found.leaders, `${found.golden} golden pixels for ${found.leaders} leaders`);
        assert.equal(await page.locator("#legend li").first().textContent(), "leader");
        assert.ok(found.colours >= 4, `${found.colours} colours in a line of the space-time diagram`);
    });

    test("every protocol speaks in words: no codes in discs, no raw values in its first events", async ({ open }) => {
        const { page } = await open();
        for (const name of await page.evaluate(() => ringleader.machine.protocols.map((p) => p.name))) {
            await page.evaluate((name) => ringleader.page.openLink(`#p=${name}&n=7&start=random&seed=4`), name);
            assert.ok((await words(page, "ring")).every((word) => /^\d{1,3}$/.test(word)), name);
            await page.evaluate(() => { for (let i = 0; i < 8; i++) ringleader.page.single("oneEvent"); });
            await drawn(page);
            assert.doesNotMatch(await page.textContent("#commentary"), /->|marks|coin/, name);
            assert.equal(/colours.*its right/.test(await page.textContent("#legend")), /undirected/.test(name), name);
        }
    });

    test("a crown is upright wherever its leader stands, and indices stay clear of it", async ({ open }) => {
        const { page } = await open("#p=prl&n=4&seed=1&c=0Ls+0L+0Ls+0L");
        for (const viewport of [DESKTOP, PHONE]) {
            await page.setViewportSize(viewport);
            for (const n of [4, 8, 16, 32, 100]) {
                await page.evaluate((link) => ringleader.page.openLink(link), `#p=prl&n=${n}&seed=1&c=${Array(n).fill("0Ls").join("+")}`);
                const made = await calls(page, "ring", "rotate", "fillText");
                const { crown } = await page.evaluate(() => ringleader.page.ring.here);
                const crowns = made.filter(({ name }) => name === "rotate"); // nothing else is turned here
                assert.deepEqual([crowns.length, crowns.every(({ all: [angle] }) => angle === 0)], [n, true]);
                const covered = made.filter(({ name, all: [, x, y], half }) => name === "fillText" && crowns.some((foot) =>
                    Math.abs(foot.x - x) < crown * 0.54 + half && Math.abs(foot.y - crown * 0.39 - y) < crown * 0.39 + 4));
                assert.deepEqual(covered, [], `n = ${n} at ${viewport.width}`);
            }
        }
    });

    test("a bad link is told with what is wrong with it, the address stays, and the page goes on", async ({ open }) => {
        const { page } = await open("#p=none&n=3&c=%");
        for (const [link, reason] of [["#p=none&n=7", /no protocol/], ["#p=prl&n=9&N=3", /below n/], ["#p=prl&n=1", /n=1/], ["#p=prl&n=9&c=0L+xx", /the configuration, line 1, column 4/],
            ["#p=prl&n=9&colour=red", /means nothing/], ["#p=prl&n=9&do=5.arc.99", /5\.arc\.99.* is impossible/],
            ["#p=prl&n=x", /n=x/], ["#p=prl&n=9&at=1e9", /at=1e9/], ["#p=prl&n=9&do=5.set.1.x.2", /5\.set\.1\.x\.2/]]) {
            await visit(page, link);
            assert.match(await page.textContent("#problem"), /^This link cannot be opened: /, link);
            assert.match(await page.textContent("#problem"), reason, link);
            assert.equal(await page.evaluate(() => location.hash), link);
            await page.click("#one-step");
            assert.ok(await step(page) >= 1, link);
        }
    });

    test("keys work while a button has the focus", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5");
        await page.focus("#one-event");
        await page.keyboard.press("s");
        assert.equal(await step(page), 1);
        await page.keyboard.press("Shift+S");
        assert.equal(await step(page), 0);
        await page.keyboard.press("Enter"); // presses the button
        assert.ok(await step(page) >= 1);
    });

    test("after the target is hit the run goes on, to see that the leader stays", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5");
        await runToTarget(page);
        const hit = await step(page), leader = await page.evaluate(() => ringleader.machine.leader);
        assert.equal(await page.textContent("#run-to"), "See that it lasts");
        await runToTarget(page);
        assert.equal(await step(page), hit + 144);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), leader);
    });

    const texts = (page, selector) => page.locator(selector).allInnerTexts();

    test("on an undirected ring l and r are those that the lit lines speak of, and every layer is listed", async ({ open }) => {
        const { page } = await open("#p=prl-undirected&n=6&start=oriented&seed=1&show=rule");
        const seen = await page.evaluate(() => {
            const { page, machine } = ringleader, heads = [];
            const at = (name) => machine.protocol.variables.findIndex((v) => v.name === name);
            for (let i = 0; i < 60; i++) {
                page.player.oneEvent(0);
                page.rule.show();
                const moved = machine.explain(0).map((line) => /bullet moved from u_(\d+) to u_(\d+)/.exec(line)).find(Boolean);
                const head = document.querySelector("#rule .meeting p").textContent;
                if (moved) heads.push([`l = u${moved[1]} met r = u${moved[2]}`, head]);
            }
            return { heads, turned: machine.variable(0, at("ahead")), listing: document.querySelector(".listing").innerText };
        });
        assert.ok(seen.heads.length > 3);
        for (const [wanted, head] of seen.heads) assert.ok(head.endsWith(wanted), `${head}, not ${wanted}`);
        for (const word of [/colouring:/, /u\.coin/, /orientation:/, /por:/, /r\.dist \u2190/]) assert.match(seen.listing, word);
    });

    test("the rule shows the last event of a batch, and nothing is said to have changed nothing that did", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5&show=rule");
        const said = await page.evaluate(() => {
            const { execution, rule } = ringleader.page, { machine } = execution, said = [];
            for (let i = 0; i < 40; i++) {
                execution.advance(machine.step + 40, 7); // it ends with an event
                const changed = machine.lastCount > 0 && machine.eventStep(machine.lastCount - 1) === machine.step;
                rule.show();
                said.push([changed, document.querySelector("#rule .meeting").textContent]);
                execution.goTo(machine.step); // where it stands already
            }
            execution.do({ kind: "fault", agents: 2 });
            rule.show();
            return [...said, [null, document.querySelector("#rule .meeting").textContent]];
        });
        assert.match(said.pop()[1], /You changed the ring/);
        for (const [changed, words] of said) assert.match(words, changed ? /met r = / : /changed nothing/);
        assert.ok(said.filter(([changed]) => changed).length > 10);
    });

    test("the event that decides is told once, before the hit, and step 0 is told in order", async ({ open }) => {
        const { page } = await open("#p=prl&n=16&start=safe&seed=3");
        await drawn(page);
        assert.match((await texts(page, "#commentary li")).at(-1), /16 agents, from the start/);
        await visit(page, "#p=prl&n=12&start=random&seed=5");
        await runToTarget(page);
        await page.click("#back-event");
        await page.click("#one-event");
        await drawn(page);
        const end = String(await step(page)), log = (await texts(page, "#commentary li")).filter((line) => line.startsWith(end));
        assert.match(log[0], /one leader, forever: the ring is in S/);
        assert.equal(log.filter((line) => !/ in [CS]/.test(line)).length, 1, log.join("\n"));
    });

    test("a listing keeps its indentation", async ({ open }) => {
        const { page } = await open("#p=prl&n=8&start=random&seed=1&show=rule");
        const lines = await page.$$eval(".listing code", (codes) => codes.map((code) => code.textContent));
        assert.match(lines[3], /^ 4 {6}r\.leader/);
        assert.match(lines[2], /^ 3 {2}if/);
    });

    for (const [width, height] of [[800, 600], [1024, 768], [1920, 1080], [3840, 2160]])
        test(`a lecture fills ${width} x ${height}, all of Algorithm 1 is seen, and there is a way out`, async ({ open }) => {
            const { page } = await open("#p=prl&n=32&start=random&seed=7&show=rule", { viewport: { width, height } });
            await page.click("#one-event");
            await page.keyboard.press("f");
            await drawn(page);
            const seen = await page.evaluate(() => {
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                const last = [...document.querySelectorAll(".listing code")].at(-1).getBoundingClientRect();
                return { last: last.bottom, right: box("#telling").bottom, stage: box(".stage").bottom,
                    type: parseFloat(getComputedStyle(document.querySelector(".listing code")).fontSize) };
            });
            assert.ok(seen.last <= height, `line 19 ends at ${seen.last}`);
            assert.ok(seen.right > height * 0.95 && seen.stage > height * 0.95, "it fills the screen");
            assert.ok(seen.type >= height / 62, `type of ${seen.type} px`);
            await page.click("#leave-lecture");
            assert.ok(await page.isVisible("#protocol"));
        });

    test("every task of the first tour can be done where one reads it", async ({ open }) => {
        for (const viewport of [{ width: 1366, height: 768 }, PHONE, { width: 320, height: 640 }]) {
            const { page } = await open(undefined, { viewport });
            await page.evaluate(() => { ringleader.page.tour.pause = 20; });
            await page.click("#tour-first");
            for (let stop = 1; stop <= 10; stop++) {
                while (await page.textContent("#tour-next") === "Read on") await page.click("#tour-next");
                await drawn(page);
                const seen = await page.evaluate(() => Object.fromEntries(["tour-next", "tour-show", "ring"].map((id) => {
                    const { top, bottom, height } = document.getElementById(id).getBoundingClientRect();
                    return [id, height === 0 || (top >= 0 && bottom <= innerHeight + 1)];
                })));
                assert.deepEqual(seen, { "tour-next": true, "tour-show": true, ring: true }, `stop ${stop} at ${viewport.width}`);
                if (await page.isVisible("#tour-show")) {
                    await page.click("#tour-show");
                    await page.waitForSelector("#tour-task.done");
                }
                await page.click("#tour-next");
            }
        }
    });

    test("on a phone a wrong link is told in sight, the ring stays in sight, and all is large enough for a thumb", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5&at=x", { viewport: PHONE, isMobile: true, hasTouch: true });
        const top = (selector) => page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().top, selector);
        assert.match(await page.innerText(".toast.shown"), /cannot be opened: at=x/);
        assert.ok(await top(".toast") < 200);
        await page.evaluate(() => document.querySelector("#timeline").scrollIntoView({ block: "end" }));
        assert.ok(await top("#timeline") < PHONE.height && await top("#ring") >= 0, "the ring is pinned");
        const small = await page.$$eval("button, select, summary", (all) => all.filter((e) => e.offsetParent)
            .map((e) => [e.id || e.className, e.getBoundingClientRect().height]).filter(([, height]) => height < 40));
        assert.deepEqual(small, []);
    });

    test("a tour gives one's ring back, and the browser's Back undoes it, as it undoes another ring", async ({ open }) => {
        for (const wayOut of ["#tour-close", "Back"]) {
            const { page } = await open("#p=fj06&n=9&start=random&seed=4&at=30");
            const before = await configuration(page);
            await page.selectOption("#protocol", "prl");
            await page.goBack();
            await page.waitForFunction(() => ringleader.machine.protocol.name === "fj06");
            await page.click("#tour-first");
            await page.click("#tour-next");
            if (wayOut === "Back") await page.goBack();
            else await page.click(wayOut);
            await page.waitForFunction(() => ringleader.machine.protocol.name === "fj06");
            assert.equal(await configuration(page), before);
            assert.ok(await page.isHidden("#tour"));
        }
    });

    test("menus close, the theme is remembered, hovering moves nothing, numbers are written in one way", async ({ open }) => {
        const { page } = await open("#p=prl&n=20000&start=random&seed=1");
        const box = (selector) => page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().toJSON(), selector);
        assert.equal((await box("#save summary")).height, (await box("#compare")).height);
        await page.click("#save summary");
        await page.click("#ring", { position: { x: 30, y: 30 } });
        assert.ok(!await page.evaluate(() => document.querySelector("#save").open));
        await page.click("#theme");
        const theme = await page.evaluate(() => document.documentElement.dataset.theme);
        await page.reload();
        await page.waitForFunction(() => globalThis.ringleader !== undefined);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
        await drawn(page);
        assert.match(await page.textContent("#commentary"), /20,000 agents/);
        const before = await box("#timeline");
        await page.hover("#timeline", { position: { x: 200, y: 40 } });
        await drawn(page);
        assert.deepEqual(await box("#timeline"), before);
    });

    test("the proof on the ring shows what keeps it from the next set, with a legend, and counts in words", async ({ open }) => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7&show=proof");
        await drawn(page);
        assert.match(await page.innerText("#proof"), /not peaceful, at 13 agents/);
        assert.deepEqual((await texts(page, "#legend li")).slice(-2), ["no leader", "not peaceful"]);
        assert.ok((await words(page, "ring")).every((word) => /^\d+$/.test(word)), "no more signs on the ring");
    });

    test("barriers and probes are drawn and named, and bullets that fly left point left", async ({ open }) => {
        const { page } = await open("#p=aaf08&n=5&k=2&seed=1&c=0+1B+0+0p+0");
        await drawn(page);
        assert.match(await page.innerText("#legend"), /probe\s+barrier\s+number: label/);
        const turns = (await calls(page, "ring", "rotate")).map(({ all: [angle] }) => angle);
        const angle = (agent, way) => (agent / 5) * 2 * Math.PI - Math.PI / 2 + way * Math.PI / 2;
        assert.deepEqual(turns.map((turn) => Math.cos(turn).toFixed(6)), [angle(1, -1), angle(3, 1)].map((turn) => Math.cos(turn).toFixed(6)));
    });

    test("the log is laid out at most five times a second while it plays", async ({ open }) => {
        const { page } = await open("#p=prl&n=2000&start=random&seed=1");
        const shown = await page.evaluate(() => { // two seconds of frames, at once
            const { page } = ringleader, { commentary, player } = page, show = commentary.show.bind(commentary);
            let shown = 0;
            commentary.show = (...all) => { shown++; show(...all); };
            player.playing = true;
            for (let now = 1e6; now < 1e6 + 2000; now += 1000 / 60) page.drawPanels(now);
            player.playing = false;
            return shown;
        });
        assert.ok(shown >= 5 && shown <= 10, `${shown} times in two seconds`);
    });
});
