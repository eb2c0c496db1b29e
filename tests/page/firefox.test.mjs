// SPDX-License-Identifier: MIT
//
// The page in Firefox, driven by Marionette, its own protocol: a length, a colon and a list in JSON,
// each way. It loads, plays, is broken, goes on a tour and opens a link.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { address, native } from "./browser.mjs";

const program = process.env.FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync) ?? "firefox";

/** Waits for something to come about. */
async function until(seen, what, limit = 60000) {
    for (const end = Date.now() + limit; Date.now() < end; await sleep(100)) {
        const found = await seen();
        if (found) return found;
    }
    assert.fail(what);
}

class Marionette {
    answers = new Map();
    last = 0;
    constructor(socket) {
        let text = Buffer.alloc(0);
        this.socket = socket;
        socket.on("data", (data) => {
            text = Buffer.concat([text, data]);
            for (let colon; (colon = text.indexOf(":")) > 0;) {
                const end = colon + 1 + Number(text.subarray(0, colon));
                if (text.length < end) return;
                const answer = JSON.parse(text.subarray(colon + 1, end));
                text = text.subarray(end);
                if (Array.isArray(answer)) this.answers.get(answer[1])(answer);
            }
        });
    }
    send(name, parameters) {
        const words = JSON.stringify([0, ++this.last, name, parameters]);
        this.socket.write(`${Buffer.byteLength(words)}:${words}`);
        return new Promise((done, fail) => this.answers.set(this.last, ([, , error, value]) =>
            error ? fail(new Error(error.message)) : done(value)));
    }
    /** What a script in the page returns. */
    async run(script) {
        return (await this.send("WebDriver:ExecuteScript", { script: `const { ringleader } = window; ${script}`, args: [], sandbox: null })).value;
    }
}

test("Firefox loads, plays, breaks, tours and opens a link", { skip: !existsSync(program) && "Firefox is not installed" }, async () => {
    const profile = mkdtempSync(join(tmpdir(), "ringleader-firefox-"));
    writeFileSync(join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
    const firefox = spawn(program, ["--headless", "--marionette", "--no-remote", "--profile", profile], { stdio: "ignore", env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" } });
    const gone = new Promise((done) => firefox.on("exit", done));
    try {
        const file = join(profile, "MarionetteActivePort");
        const port = await until(() => existsSync(file) && Number(readFileSync(file)), "Firefox listens");
        const socket = connect(port, "127.0.0.1"), page = new Marionette(socket);
        await page.send("WebDriver:NewSession", {});
        await page.send("WebDriver:Navigate", { url: address });
        await until(() => page.run("return ringleader !== undefined"), "it loads");
        await until(() => page.run("return ringleader.machine.step > 3"), "it is at work");
        // In one go: the ring may be playing.
        assert.equal(await page.run("document.querySelector('.skip').click(); document.querySelector('#crown').click(); return ringleader.machine.gauges()[0]"), 12);
        await page.run("document.querySelector('#run-to').click()");
        await until(() => page.run("return ringleader.machine.gauges()[0] === 1 && !ringleader.page.player.playing"), "it heals");
        await page.run("document.querySelector('#tour-paper').click()");
        assert.match(await page.run("return document.querySelector('#tour-place').textContent"), /1 of 10$/);
        await page.run("history.back()");
        await until(() => page.run("return document.querySelector('#tour').hidden && ringleader.machine.n === 12"), "one's ring is back");
        await page.run("location.hash = '#p=prl&n=50&start=random&seed=7'; setTimeout(() => document.querySelector('#run-to').click(), 500)");
        const { steps } = native("elect", "-n", "50", "--seed", "7");
        await until(() => page.run(`return ringleader.machine.step === ${steps}`), "it ends where elect does");
        socket.end();
    } finally {
        firefox.kill();
        await gone;
        rmSync(profile, { recursive: true, force: true });
    }
});
