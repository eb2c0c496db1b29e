// SPDX-License-Identifier: MIT
//
// The real page, opened from disk in a real browser and used as a person would.
//   node --test web/test        (after make web; scripts/test.sh does both)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const build = resolve(root, process.env.RINGLEADER_BUILD ?? "build");
const address = pathToFileURL(resolve(build, "web/ringleader.html")).href;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** DESKTOP at 200 %. */
const ZOOMED = { width: 720, height: 450 };

let browser;
before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run"],
    });
});
after(() => browser?.close());
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

/** Opens the page; every console error and every request ends up in `seen`. */
async function open(fragment = "", options = {}) {
    const context = await browser.newContext({ viewport: DESKTOP, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10000);
    const seen = { errors: [], requests: [] };
    page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
    page.on("pageerror", (error) => seen.errors.push(error.message));
    page.on("request", (request) => seen.requests.push(request.url()));
    await page.goto(address + fragment);
    await page.waitForFunction(() => globalThis.ringleader !== undefined);
    return { page, seen };
}

const native = (...words) => JSON.parse(execFileSync(resolve(build, "ringleader"), [...words, "--json"]));
/** Waits until the page has drawn what it knows. */
const drawn = (page) => page.evaluate(() =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const number = async (page, id) => {
    await drawn(page);
    return Number((await page.textContent(id)).replaceAll(",", ""));
};
const configuration = (page) => page.evaluate(() => ringleader.machine.configuration());
const step = (page) => page.evaluate(() => ringleader.machine.step);

/** Runs to the target and waits until it is there. */
async function runToTarget(page) {
    await page.click("#run-to");
    await page.waitForFunction(() => document.querySelector("#play-word").textContent === "Play");
}

/** The point of the canvas where an agent (or, with a half, an arc) is drawn. */
async function place(page, agent) {
    return page.evaluate((agent) => {
        const { page } = ringleader;
        const canvas = document.querySelector("#ring");
        const g = page.ring.geometry(canvas.clientWidth, canvas.clientHeight);
        const [x, y] = page.ring.at(g, page.ring.angle(agent), g.radius);
        return { x, y };
    }, agent);
}

describe("the page", () => {
    test("loads from disk without an error and without the network", async () => {
        const { page, seen } = await open();
        await page.click("#play");
        await page.waitForTimeout(300);
        assert.deepEqual(seen.errors, []);
        const outside = seen.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"));
        assert.deepEqual(outside, []);
        assert.equal(seen.requests.filter((url) => url.startsWith("file:")).length, 1);
    });

    test("runs prl, n = 50, seed 7 to S_RL at the step that elect prints", async () => {
        const { page } = await open("#p=prl&n=50&start=random&seed=7");
        await runToTarget(page);
        const elected = native("elect", "-n", "50", "--seed", "7");
        assert.equal(await number(page, "#step"), elected.steps);
        assert.equal(await number(page, "#leaders"), 1);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), elected.leader);
    });

    test("agrees with the native library on 62 elections, to the last configuration", async () => {
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

    test("a choice has the name in a link that it has on the command line", async () => {
        const { page } = await open();
        const protocols = await page.evaluate(() => ringleader.machine.protocols);
        let rounds = 0;
        for (const { name, parameters } of protocols)
            for (const parameter of parameters)
                for (const [i, choice] of parameter.choices.entries()) {
                    // Links of 0.1.0 have the number of the choice: they still open.
                    for (const spelling of [choice, i]) {
                        const link = `#p=${name}&n=5&${parameter.name}=${spelling}&start=random&seed=3`;
                        await page.goto("about:blank");
                        await page.goto(address + link);
                        await page.waitForFunction(() => globalThis.ringleader !== undefined);
                        await runToTarget(page);
                        assert.match(page.url(), new RegExp(`&${parameter.name}=${choice}&`));
                        const elected = native("elect", "-p", name, "-n", "5", `--${parameter.name}`,
                            choice, "--seed", "3");
                        assert.equal(elected[parameter.name], choice);
                        assert.equal(await step(page), elected.steps);
                    }
                    rounds += 1;
                }
        assert.ok(rounds >= 4);
    });

    test("a fault strikes the same agents as --fault and heals at the same step", async () => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=3&do=1000.fault.20");
        await runToTarget(page); // in S_RL from the start: it goes on past the fault
        const elected = native("elect", "-n", "40", "--start", "safe", "--seed", "3", "--fault", "20@1000");
        assert.equal(await step(page), elected.steps);
    });

    test("steps by hand, one interaction or one event at a time", async () => {
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

    test("an arc that is clicked interacts, and the commentary names the lines", async () => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7");
        await page.click("#ring", { position: await place(page, 0.5) });
        assert.equal(await step(page), 1);
        const said = await page.textContent("#commentary li:first-child");
        assert.match(said, /u0 fired a live bullet and raised its shield lines 6\u20138/);
        assert.equal(await configuration(page), "0Ls 1B 2 3 4 5 6 7");
    });

    test("an agent is clicked, edited, told of, and the ring recovers", async () => {
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

    test("it can be broken in every way offered", async () => {
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

    test("a shared link opens the same execution at the same step", async () => {
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

    test("a link with nonsense in it does no harm", async () => {
        const { page, seen } = await open("#p=none&n=3&c=%");
        for (const nonsense of ["#p=none&n=7", "#p=prl&n=1", "#p=prl&n=9&N=3", "#p=prl&n=9&c=0L+xx",
            "#p=prl&n=9&do=5.arc.99_x.set_7.fault.1e9&at=20"]) {
            await page.evaluate((hash) => { location.hash = hash; }, nonsense);
            await page.click("#one-step");
            assert.ok(await step(page) >= 1, nonsense);
            assert.deepEqual(seen.errors, [], nonsense);
        }
    });

    test("a wrong request is refused with the reason", async () => {
        const { page } = await open("#p=prl&n=20&start=random&seed=1");
        await page.fill("#n", "30");
        await page.getByLabel("Bound N").fill("10");
        await page.getByLabel("Bound N").press("Tab");
        assert.match(await page.textContent("#problem"), /N = 10 is below n = 30/);
        await page.getByLabel("Bound N").fill("40");
        await page.getByLabel("Bound N").press("Tab");
        assert.equal(await page.textContent("#problem"), "");
        assert.equal(await page.evaluate(() => ringleader.machine.n), 30);
    });

    test("on an undirected ring a bullet points and flies the way that the agents chose", async () => {
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

    test("every protocol and every start of the registry opens and runs", async () => {
        const { page, seen } = await open();
        const tried = await page.evaluate(() => {
            const { machine } = ringleader;
            let tried = 0;
            for (const protocol of machine.protocols)
                for (const start of protocol.starts) {
                    try {
                        machine.open({ protocol: protocol.name, n: 10, parameters: {},
                            start: start.name, seed: 1n, trial: 0n, engine: "event" });
                    } catch { continue; } // not for n = 10
                    machine.advance(2000, 4096);
                    tried += machine.step > 0;
                }
            return tried;
        });
        assert.ok(tried >= 10);
        assert.deepEqual(seen.errors, []);
    });

    test("the keyboard chooses an agent and makes it interact", async () => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7");
        await page.focus("#ring");
        await page.keyboard.press("ArrowRight");
        assert.match(await page.textContent("#status"), /u 0: 0L!.*d_L = 0/);
        await page.keyboard.press("Enter");
        assert.equal(await configuration(page), "0Ls 1B 2 3 4 5 6 7");
        await page.keyboard.press("s");
        assert.equal(await step(page), 2);
    });

    test("the tour has seven stops, and each shows what it says", async () => {
        const { page, seen } = await open();
        await page.click("#tour-paper");
        const leaders = [];
        for (let stop = 1; stop <= 7; stop++) {
            assert.equal(await page.textContent("#tour-place"), `For readers of the paper: ${stop} of 7`);
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
        assert.deepEqual(leaders, [0, 2, 1, 0, 2, 1, 1]);
        assert.ok(await page.isHidden("#tour"));
        assert.deepEqual(seen.errors, []);
    });

    test("at phone size nothing overflows, on the page or on the tour", async () => {
        const { page } = await open("#p=prl&n=24&start=random&seed=3&at=100",
            { viewport: PHONE, isMobile: true, hasTouch: true });
        // Not innerWidth: a phone's browser widens it to what overflows.
        const overflow = () => page.evaluate((width) => document.documentElement.scrollWidth - width,
            PHONE.width);
        assert.ok(await overflow() <= 0);
        await page.tap("#ring", { position: await place(page, 3) });
        assert.ok(await page.isVisible("#inspector-body"));
        assert.ok(await overflow() <= 0);
        await page.tap("#tour-paper");
        assert.ok(await overflow() <= 0);
        const tour = await page.locator("#tour").boundingBox();
        assert.ok(tour.x >= 0 && tour.x + tour.width <= PHONE.width && tour.y >= 0);
    });

    test("with reduced motion nothing flies", async () => {
        for (const reducedMotion of ["no-preference", "reduce"]) {
            const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7", { reducedMotion });
            await page.click("#one-event");
            const duration = await page.evaluate(() => ringleader.page.ring.flashes.at(-1).duration);
            assert.equal(duration > 0, reducedMotion !== "reduce");
        }
    });

    // ---- faults that were seen once ----------------------------------------------------------

    test("what is no number of agents is refused with the reason, and the page goes on", async () => {
        const { page, seen } = await open("#p=prl&n=20&start=random&seed=1");
        for (const [field, value, reason] of [["#n", "2.5", /whole number/], ["#n", "-5", /whole number/],
            ["#n", "", /whole number/], ["#seed", "hello", /seed/], ["#seed", "99999999999999999999", /2\^64/]]) {
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
        assert.deepEqual(seen.errors, []);
    });

    test("an impossible value of a variable is refused with what is possible", async () => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=2");
        await page.click("#ring", { position: await place(page, 3) });
        const before = await configuration(page);
        await page.getByLabel("dist", { exact: true }).fill("99");
        await page.getByLabel("dist", { exact: true }).press("Tab");
        assert.match(await page.textContent("#inspector-problem"), /from 0 to 40, not .99/);
        assert.equal(await configuration(page), before);
    });

    test("a run to the target records every change of leaders, and its pictures are true", async () => {
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

    test("at the default size an arc is clicked, and the hint says so only where it is so", async () => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7");
        assert.match(await page.textContent("#inspector-hint"), /click the arc/);
        await page.click("#ring", { position: await place(page, 5.5) });
        assert.equal(await step(page), 1);
        assert.match(await page.evaluate(() => location.hash), /do=0\.arc\.5/);
        await page.evaluate(() => { location.hash = "#p=prl&n=300&start=random&seed=7"; });
        await drawn(page);
        assert.doesNotMatch(await page.textContent("#inspector-hint"), /click the arc/);
    });

    test("a fault that a link brings is in the log and in both pictures", async () => {
        const { page } = await open("#p=prl&n=40&start=safe&seed=5&do=600.fault.20&at=700");
        await drawn(page);
        assert.match(await page.textContent("#commentary"), /600\s*you gave 20 random agents random states/);
        const marks = await page.evaluate(() => ringleader.page.execution.record.landmarks
            .filter((l) => l.label).map((l) => [l.step, l.label]));
        assert.ok(marks.some(([step, label]) => step === 600 && label === "fault"));
    });

    test("who leaves a tour's stop is left alone by it", async () => {
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

    test("the tour covers neither the controls nor the inspector", async () => {
        for (const viewport of [DESKTOP, PHONE, ZOOMED, { width: 320, height: 640 }]) {
            const { page } = await open("#p=prl&n=12&start=random&seed=5", { viewport });
            await page.click("#tour-first");
            const boxes = await page.evaluate(() => ["tour", "controls", "inspector", "ring"].map((id) => {
                const { left, right, top, bottom } = document.getElementById(id).getBoundingClientRect();
                return { id, left, right, top, bottom };
            }));
            const [tour, ...others] = boxes;
            for (const box of others) {
                const apart = box.left >= tour.right || box.right <= tour.left || box.top >= tour.bottom || box.bottom <= tour.top;
                assert.ok(apart, `${box.id} at ${viewport.width} x ${viewport.height}`);
            }
            const heads = await page.evaluate(() => {
                const title = document.querySelector("h1").getBoundingClientRect();
                const button = document.querySelector("#tour-first").getBoundingClientRect();
                return getComputedStyle(document.querySelector("h1")).clipPath !== "none" || title.right <= button.left;
            });
            assert.ok(heads, `the title at ${viewport.width}`);
        }
    });

    test("the words in the middle stay clear of what is drawn, on a phone with few agents", async () => {
        for (const n of [3, 6, 12, 24]) {
            const { page } = await open(`#p=prl&n=${n}&start=random&seed=5`, { viewport: PHONE, isMobile: true, hasTouch: true });
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

    test("the inspector shows the agent as it is after a run, and the log is in order", async () => {
        const { page } = await open("#p=prl&n=32&start=random&seed=7");
        await page.click("#ring", { position: await place(page, 4) });
        await runToTarget(page);
        await drawn(page);
        assert.equal(await page.textContent("#agent-state"), await page.evaluate(() => ringleader.machine.state(4)));
        const steps = (await page.locator("#commentary .when").allTextContents()).map((t) => Number(t.replaceAll(",", "")));
        assert.ok(steps.length > 10);
        assert.deepEqual(steps, [...steps].sort((a, b) => b - a));
    });

    test("several hits at one step are all named in the pictures", async () => {
        const { page } = await open("#p=prl&n=16&start=safe&seed=3");
        const words = await page.evaluate(() => {
            const said = [];
            const fillText = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
                said.push(text);
                fillText.call(this, text, ...rest);
            };
            ringleader.page.timeline.draw();
            const timeline = said.splice(0);
            ringleader.page.spacetime.draw();
            return [timeline, said];
        });
        for (const said of words) for (const index of ["PB", "NI", "RL"]) assert.ok(said.includes(index), `${index} in ${said}`);
        assert.ok(words.flat().every((word) => !/_/.test(word)), "no raw index");
    });

    test("a large ring shows indices, its leaders and the legend of what is drawn", async () => {
        const { page } = await open("#p=prl&n=20000&start=random&seed=1&at=200000");
        const found = await page.evaluate(() => {
            const canvas = document.querySelector("#ring");
            const began = performance.now();
            for (let i = 0; i < 10; i++) ringleader.page.ring.draw(performance.now());
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const gold = getComputedStyle(document.documentElement).getPropertyValue("--leader").trim();
            const [r, g, b] = [1, 3, 5].map((i) => parseInt(gold.slice(i, i + 2), 16));
            let golden = 0;
            for (let i = 0; i < data.length; i += 4) golden += data[i] === r && data[i + 1] === g && data[i + 2] === b;
            return { golden, leaders: ringleader.machine.gauges()[0], took: performance.now() - began };
        });
        assert.ok(found.golden >= found.leaders, `${found.golden} golden pixels for ${found.leaders} leaders`);
        assert.equal(await page.locator("#legend li").first().textContent(), "leader");
        const colours = await page.evaluate(() => new Set(ringleader.page.execution.record.rows.at(-1).cells).size);
        assert.ok(colours >= 4, `${colours} colours in a line of the space-time diagram`);
    });

    test("a bad link is told, and the address stays", async () => {
        for (const [link, reason] of [["#p=none&n=7", /no protocol/], ["#p=prl&n=9&N=3", /below n/],
            ["#p=prl&n=9&colour=red", /means nothing/], ["#p=prl&n=9&do=5.arc.99", /impossible/], ["#p=prl&n=x", /whole number/]]) {
            const { page, seen } = await open(link);
            assert.match(await page.textContent("#problem"), reason, link);
            assert.equal(await page.evaluate(() => location.hash), link);
            assert.deepEqual(seen.errors, []);
        }
    });

    test("keys work while a button has the focus", async () => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5");
        await page.focus("#one-event");
        await page.keyboard.press("s");
        assert.equal(await step(page), 1);
        await page.keyboard.press("Shift+S");
        assert.equal(await step(page), 0);
        await page.keyboard.press("Enter"); // presses the button
        assert.ok(await step(page) >= 1);
    });

    test("after the target is hit the run goes on, to see that the leader stays", async () => {
        const { page } = await open("#p=prl&n=12&start=random&seed=5");
        await runToTarget(page);
        const hit = await step(page), leader = await page.evaluate(() => ringleader.machine.leader);
        assert.equal(await page.textContent("#run-to"), "Run on");
        await runToTarget(page);
        assert.equal(await step(page), hit + 144);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), leader);
    });

    // ---- time --------------------------------------------------------------------------------

    test("200 jumps in an execution of 100,000 events stand where a fresh run stands", async () => {
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

    test("steps, events and landmarks are walked back as they came", async () => {
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
        await page.waitForFunction(() => document.querySelector("#play-word").textContent === "Play");
        const first = await step(page);
        assert.ok(first > 0);
        await page.click("#next-landmark");
        await page.waitForFunction(() => document.querySelector("#play-word").textContent === "Play");
        assert.ok(await step(page) > first);
        await page.click("#last-landmark");
        assert.equal(await step(page), first);
    });

    test("the timeline is dragged to any step, and what is done there makes another future", async () => {
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

    test("overlay and lit lines agree with the sets and with what is explained, 1000 times", async () => {
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
        await page.evaluate(() => { location.hash = "#p=prl&n=16&start=random&seed=4&show=rule"; });
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

    test("what an interaction changed stands beside the rule", async () => {
        const { page } = await open("#p=prl&n=8&seed=1&c=0L!+1+2+3+4+5+6+7&show=rule");
        await page.click("#ring", { position: await place(page, 0.5) });
        await drawn(page);
        assert.match(await page.textContent("#rule .meeting"), /l = u0 met r = u1.*l\.shield: 0 \u2192 1.*l\.signal: 1 \u2192 0.*r\.bullet: 0 \u2192 2/);
        assert.match(await page.getAttribute("#rule a", "href"), /2009\.10926/);
    });

    // ---- tours, comparison, lecture ----------------------------------------------------------

    test("both tours are walked from end to end by keyboard alone", async () => {
        for (const [button, stops] of [["#tour-first", 10], ["#tour-paper", 7]]) {
            const { page, seen } = await open();
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
            assert.deepEqual(seen.errors, []);
        }
    });

    test("both tours are walked by touch, and every task can be done by hand", async () => {
        const { page, seen } = await open("", { viewport: PHONE, isMobile: true, hasTouch: true });
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
        assert.deepEqual(seen.errors, []);
    });

    test("two rings go on one clock, and each is what it is alone", async () => {
        const { page } = await open("#p=prl&n=20&start=leaders&seed=6&beside=fj06.leaders");
        await runToTarget(page);
        await page.waitForFunction(() => ringleader.page.compare.execution.machine.step === ringleader.machine.step);
        const beside = await page.evaluate(() => ringleader.page.compare.execution.machine.configuration());
        const { page: alone } = await open(`#p=fj06&n=20&start=leaders&seed=6&at=${await step(page)}`);
        assert.equal(beside, await configuration(alone));
        await page.click("#rival-close");
        assert.ok(await page.isHidden("#rival-stage"));
    });

    test("the ring is saved as SVG and PNG, and a stretch of it as a film", async () => {
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
            test(`axe finds no serious problem: ${colorScheme}, ${size}`, async () => {
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

test("the lock file names no registry", () => {
    assert.doesNotMatch(readFileSync(resolve(root, "web/package-lock.json"), "utf8"), /"resolved"/);
});
