// SPDX-License-Identifier: MIT
//
// The real page, opened from disk in a real browser and used as a person would.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, configuration, describePage, drawn, native, number, PHONE, place, root,
    runToTarget, step, test, visit } from "./browser.mjs";

describePage("the page", () => {
    test("loads from disk without an error and without the network", async ({ open }) => {
        const { page, seen } = await open();
        await page.click("#play");
        await page.waitForTimeout(300);
        const outside = seen.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"));
        assert.deepEqual(outside, []);
        assert.equal(seen.requests.filter((url) => url.startsWith("file:")).length, 1);
    });

    test("runs prl, n = 50, seed 7 to S_RL at the step that elect prints", async ({ open }) => {
        const { page } = await open("#p=prl&n=50&start=random&seed=7");
        await runToTarget(page);
        const elected = native("elect", "-n", "50", "--seed", "7");
        assert.equal(await number(page, "#step"), elected.steps);
        assert.equal(await number(page, "#leaders"), 1);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), elected.leader);
    });

    test("agrees with the native library on 62 elections, to the last configuration", async ({ open }) => {
        const list = resolve(root, "tests/agree/elections.txt");
        const expected = execFileSync(resolve(build, "tests/elections"), [list]).toString().trim()
            .split("\n").map((line) => JSON.parse(line));
        const requests = readFileSync(list, "utf8").split("\n")
            .filter((line) => line && !line.startsWith("#")).map((line) => line.split(" "));
        assert.equal(requests.length, expected.length);
        assert.ok(expected.length >= 60);
        const { page } = await open();
        const found = await page.evaluate(async (requests) => {
            const results = [];
            for (const [protocol, n, N, start, seed, engine] of requests)
                results.push(await ringleader.elect({ protocol, n: Number(n),
                    parameters: N === "-" ? {} : { N }, start, seed: BigInt(seed), engine }));
            return results;
        }, requests);
        found.forEach((result, i) => assert.deepEqual(result, expected[i], requests[i].join(" ")));
    });

    test("a choice has the name in a link that it has on the command line", async ({ open }) => {
        const { page } = await open();
        const protocols = await page.evaluate(() => ringleader.machine.protocols);
        let rounds = 0;
        for (const { name, parameters } of protocols)
            for (const parameter of parameters)
                for (const choice of parameter.choices) {
                    await visit(page, `#p=${name}&n=5&${parameter.name}=${choice}&start=random&seed=3`);
                    await runToTarget(page);
                    assert.match(page.url(), new RegExp(`&${parameter.name}=${choice}&`));
                    const elected = native("elect", "-p", name, "-n", "5", `--${parameter.name}`,
                        choice, "--seed", "3");
                    assert.equal(elected[parameter.name], choice);
                    assert.equal(await step(page), elected.steps);
                    rounds += 1;
                }
        assert.ok(rounds >= 4);
    });

    test("a fault strikes the same agents as --fault and heals at the same step", async ({ open }) => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=3&do=1000.fault.20");
        await runToTarget(page); // in S_RL from the start: it goes on past the fault
        const elected = native("elect", "-n", "40", "--start", "safe", "--seed", "3", "--fault", "20@1000");
        assert.equal(await step(page), elected.steps);
    });

    test("steps by hand, one interaction or one event at a time", async ({ open }) => {
        const { page } = await open("#p=prl&n=12&start=leaderless&seed=1");
        for (let i = 1; i <= 3; i++) {
            await page.click("#one-step");
            assert.equal(await step(page), i);
        }
        const told = await page.evaluate(() => ringleader.page.execution.record.gauges.at(-1));
        assert.deepEqual([told.step, told.gauges], [3, await page.evaluate(() => ringleader.machine.gauges())]);
        const events = await page.evaluate(() => ringleader.machine.events);
        await page.click("#one-event");
        assert.equal(await page.evaluate(() => ringleader.machine.events), events + 1);
        assert.match(await page.textContent("#commentary li:first-child"), /dist went from .* line 2/);
    });

    test("an arc that is clicked interacts, and the commentary names the lines", async ({ open }) => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7");
        await page.click("#ring", { position: await place(page, 0.5) });
        assert.equal(await step(page), 1);
        const said = await page.textContent("#commentary li:first-child");
        assert.match(said, /u0 fired a live bullet and raised its shield lines 6\u20138/);
        assert.equal(await configuration(page), "0Ls 1B 2 3 4 5 6 7");
    });

    test("an agent is clicked, edited, told of, and the ring recovers", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=safe&seed=2");
        const before = await page.evaluate(() => ringleader.machine.leader);
        const victim = (before + 7) % 20;
        await page.click("#ring", { position: await place(page, victim) });
        assert.equal(await page.inputValue("#agent"), String(victim));
        assert.match(await page.textContent("#facts"), /dL = 7.*dR = 13.*secure/);
        await page.getByLabel("leader", { exact: true }).selectOption("1");
        assert.equal(await number(page, "#leaders"), 2);
        assert.match(await page.textContent("#commentary"), new RegExp(`you set u${victim}.leader to 1`));
        assert.ok(await page.evaluate(() => ringleader.machine.hit(2)) < 0);
        await runToTarget(page);
        assert.equal(await number(page, "#leaders"), 1);
    });

    test("it can be broken in every way offered", async ({ open }) => {
        const { page } = await open("#p=prl&n=20&start=safe&seed=2");
        for (const [button, leaders] of [["#kill", 0], ["#crown", 20], ["#depose", 0]]) {
            await page.click(button);
            assert.equal(await number(page, "#leaders"), leaders);
        }
        const broken = await configuration(page);
        await page.fill("#corrupt-count", "5");
        await page.click("#corrupt");
        const agents = (await configuration(page)).split(" ");
        const struck = broken.split(" ").filter((agent, i) => agent !== agents[i]).length;
        assert.ok(struck >= 1 && struck <= 5);
        await runToTarget(page);
        assert.equal(await number(page, "#leaders"), 1);
    });

    test("a shared link opens the same execution at the same step", async ({ open }) => {
        const { page } = await open("#p=prl&n=30&N=45&start=random&seed=12");
        for (let i = 0; i < 10; i++) await page.click("#one-event");
        await page.click("#corrupt");
        await page.click("#one-event");
        await page.click("#ring", { position: await place(page, 4) });
        await page.click("#meet-right");
        await page.click("#one-event");
        const link = await page.evaluate(() => location.hash);
        const { page: other } = await open(link);
        assert.equal(await step(other), await step(page));
        assert.equal(await configuration(other), await configuration(page));
        await runToTarget(page);
        await runToTarget(other);
        assert.equal(await step(other), await step(page));
        assert.equal(await configuration(other), await configuration(page));
    });

    test("on an undirected ring a bullet points and flies the way that the agents chose", async ({ open }) => {
        const { page } = await open("#p=prl-undirected&n=5&start=oriented&seed=1");
        const seen = await page.evaluate(() => {
            const { machine } = ringleader, { ring } = ringleader.page;
            const at = (name) => machine.protocol.variables.findIndex((v) => v.name === name);
            const set = (agent, name, value) => machine.set(agent, at(name), value);
            const turns = [];
            const rotate = CanvasRenderingContext2D.prototype.rotate;
            CanvasRenderingContext2D.prototype.rotate = function (angle) {
                turns.push(angle);
                rotate.call(this, angle);
            };
            /* Whether the one thing that is drawn turned, the bullet near the top, points to the right. */
            const pointsRight = (now) => {
                turns.length = 0;
                ring.draw(now);
                return turns.length === 1 ? Math.cos(turns[0]) > 0.5 : turns;
            };
            const oneBullet = () => {
                for (let i = 0; i < 5; i++)
                    for (const name of ["leader", "bullet", "signal", "dist"]) set(i, name, 0);
                set(0, "bullet", 2);
                ring.clearFlashes();
            };
            /* The bullet in the middle of its flight; `arc` is that of u_0 and the agent ahead. */
            const flight = (arc) => {
                oneBullet();
                const before = machine.marks().slice(), [a, b] = machine.ends(arc);
                machine.interact(arc);
                if (machine.marks()[0] & 4) return "it has not moved";
                ring.flash({ arc, changed: true, at: 0, duration: 1000, before: [before[a], before[b]] });
                return pointsRight(500);
            };
            const turnRound = () => {
                for (let i = 0; i < 5; i++) {
                    const ahead = machine.variable(i, at("ahead"));
                    set(i, "ahead", machine.variable(i, at("behind")));
                    set(i, "behind", ahead);
                }
            };
            const all = (arcs) => {
                oneBullet();
                return [pointsRight(0), ...arcs.map(flight)];
            };
            const right = all([0, 5]);
            turnRound();
            return { right, left: all([4, 9]) };
        });
        assert.deepEqual(seen, { right: [true, true, true], left: [false, false, false] });
    });

    test("the keyboard chooses an agent and makes it interact", async ({ open }) => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7");
        await page.focus("#ring");
        await page.keyboard.press("ArrowRight");
        assert.match(await page.textContent("#status"), /u 0: 0L!.*d_L = 0/);
        await page.keyboard.press("Enter");
        assert.equal(await configuration(page), "0Ls 1B 2 3 4 5 6 7");
        await page.keyboard.press("s");
        assert.equal(await step(page), 2);
    });

    test("the log is one place for Tab, and arrow keys go through it", async ({ open }) => {
        const { page } = await open("#p=prl&n=16&start=random&seed=4&at=60");
        const when = () => page.evaluate(() => Number(document.activeElement.textContent));
        await page.focus("#tab-log");
        await page.keyboard.press("Tab");
        const newest = await when();
        assert.ok(newest > 0 && newest <= 60);
        await page.keyboard.press("ArrowDown");
        const earlier = await when();
        assert.ok(earlier < newest);
        await page.keyboard.press("Enter");
        assert.equal(await step(page), earlier);
        await page.focus("#tab-log");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.className), "series");
    });

    test("another execution is told and painted at once", async ({ open }) => {
        const { page } = await open("#p=prl&n=16&start=random&seed=1");
        const looks = () => page.evaluate(() => [document.querySelector("#commentary").textContent,
            document.querySelector("#spacetime").toDataURL()]);
        await drawn(page);
        const before = await looks();
        await visit(page, "#p=prl&n=16&start=random&seed=2");
        await drawn(page);
        const after = await looks();
        assert.match(after[0], /seed 2/);
        assert.notEqual(after[1], before[1]);
        await visit(page, "#p=fences&n=2&start=random&seed=2&show=proof");
        await drawn(page);
        assert.match(await page.textContent("#proof"), /SF: not yet/);
        await runToTarget(page);
        await drawn(page);
        assert.match(await page.textContent("#proof"), /SF: reached/);
    });

    test("the tour has ten stops, and each shows what it says", async ({ open }) => {
        const { page } = await open();
        await page.click("#tour-paper");
        const leaders = [];
        for (let stop = 1; stop <= 10; stop++) {
            assert.equal(await page.textContent("#tour-place"), `For readers of the paper: ${stop} of 10`);
            const hands = { 3: 5, 4: 3, 5: 2 }[stop];
            if (hands) await page.waitForFunction((n) => ringleader.machine.step >= n, hands);
            if (stop === 5) {
                assert.match(await page.textContent("#commentary"), /u50 counted to N = 100 and became a leader/);
                assert.equal(await page.evaluate(() => ringleader.machine.gauges()[0]), 2);
            }
            if (stop === 4) await page.waitForFunction(() => ringleader.machine.gauges()[0] === 0);
            leaders.push(await page.evaluate(() => ringleader.machine.gauges()[0]));
            await page.click("#tour-next");
        }
        assert.deepEqual(leaders.slice(0, 8), [0, 2, 1, 0, 2, 1, 1, 2]);
        assert.ok(await page.isHidden("#tour"));
    });

    test("at phone size nothing overflows, on the page or on the tour", async ({ open }) => {
        const { page } = await open("#p=prl&n=24&start=random&seed=3&at=100",
            { viewport: PHONE, isMobile: true, hasTouch: true });
        // Not innerWidth: a phone's browser widens it to what overflows.
        const overflow = () => page.evaluate((width) => document.documentElement.scrollWidth - width,
            PHONE.width);
        assert.ok(await overflow() <= 0);
        await page.tap("#ring", { position: await place(page, 3) });
        assert.ok(await page.isVisible("#inspector-body"));
        assert.ok(await overflow() <= 0);
        for (const width of [320, 350, 375, 388, 430, 500, 534, 620, 705, 720]) { // also with a tip left from a larger page
            await page.setViewportSize({ width: 1200, height: 800 });
            await page.hover("#ring", { position: await place(page, 6) });
            await page.setViewportSize({ width, height: 800 });
            await drawn(page);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${width}`);
            assert.ok(await page.evaluate(() => {
                const name = document.querySelector("h1"), { x } = name.getBoundingClientRect();
                const links = document.querySelector(".top nav").getBoundingClientRect();
                return getComputedStyle(name).position === "absolute" || x + name.scrollWidth < links.left;
            }), `the name touches a link at ${width}`);
        }
        await visit(page, "#p=prl&n=700&start=random&seed=3&at=100");
        await page.setViewportSize({ width: 320, height: 640 });
        await drawn(page);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320), "a band");
        await page.setViewportSize(PHONE);
        await page.tap("#tour-paper");
        assert.ok(await overflow() <= 0);
        const tour = await page.locator("#tour").boundingBox();
        assert.ok(tour.x >= 0 && tour.x + tour.width <= PHONE.width && tour.y >= 0);
    });

    test("with reduced motion nothing flies", async ({ open }) => {
        for (const reducedMotion of ["no-preference", "reduce"]) {
            const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7", { reducedMotion });
            const duration = await page.evaluate(() => {
                document.querySelector("#one-event").click();
                return ringleader.page.ring.flashes.at(-1).duration;
            });
            assert.equal(duration > 0, reducedMotion !== "reduce");
        }
    });
});

test("the lock file names no registry", () => {
    assert.doesNotMatch(readFileSync(resolve(root, "web/package-lock.json"), "utf8"), /"resolved"/);
});
