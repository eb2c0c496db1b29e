// SPDX-License-Identifier: MIT
//
// Pages that `ringleader page` makes, opened from disk in a real browser.
//   node --test web/test        (after make web; scripts/test.sh does both)
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
    appendFileSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = resolve(root, process.env.RINGLEADER_BUILD ?? "build", "ringleader");

let scratch, browser, env;
const ringleader = (...words) => execFileSync(program, words, { cwd: scratch, env }).toString();
const native = (...words) => JSON.parse(ringleader("elect", ...words, "--json"));

before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "ringleader-page-"));
    env = { ...process.env, XDG_CACHE_HOME: join(scratch, "cache") };
    ringleader("new", "ripple");
    ringleader("new", "mine", "--like", "fj06");
    // A second file, and characters that strings of C and JSON do not like.
    writeFileSync(join(scratch, "more.h"), "/* tab\t, \"quotes\", \\back\\, ??/, \u00e9 */\n");
    appendFileSync(join(scratch, "mine.c"), "#include \"more.h\"\n");
    ringleader("page", "-p", "ripple.c", "-o", "ripple.html");
    ringleader("page", "-p", "mine.c", "-o", "mine.html");
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
});
after(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true });
});

async function open(name, fragment = "") {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.setDefaultTimeout(10000);
    const seen = { errors: [], requests: [] };
    page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
    page.on("pageerror", (error) => seen.errors.push(error.message));
    page.on("request", (request) => seen.requests.push(request.url()));
    await page.goto(pathToFileURL(join(scratch, name)).href + fragment);
    await page.waitForFunction(() => globalThis.ringleader !== undefined);
    return { page, seen };
}

async function runToTarget(page) {
    await page.click("#run-to");
    await page.waitForFunction(() => document.querySelector("#play-word").textContent === "Play");
}

const at = (page) => page.evaluate(() => ringleader.machine.step);

describe("a page with a protocol of one's own", () => {
    test("opens with it, has ours too, and needs nothing else", async () => {
        const { page, seen } = await open("ripple.html");
        const names = await page.$$eval("#protocol option", (options) => options.map((o) => o.value));
        assert.equal(names[0], "ripple");
        assert.ok(names.includes("prl") && names.length > 10);
        assert.equal(await page.inputValue("#protocol"), "ripple");
        assert.deepEqual(seen.errors, []);
        assert.equal(seen.requests.filter((url) => !url.startsWith("data:")).length, 1);
    });

    test("settles since the step that elect prints, and is seen to", async () => {
        const { page } = await open("ripple.html", "#p=ripple&n=16&seed=3");
        await runToTarget(page);
        const { steps, leader } = native("-p", "ripple.c", "-n", "16", "--seed", "3");
        assert.equal(await at(page), steps);
        assert.equal(await page.evaluate(() => ringleader.machine.leader), leader);
        // Asked once more it goes on to where that is known, and does not run for ever.
        await runToTarget(page);
        assert.equal(await page.evaluate(() => ringleader.machine.hit(0)), steps);
        assert.ok(await at(page) > steps);
    });

    test("hits the sets that the file declares where elect does, on forty rings", async () => {
        const { page } = await open("mine.html");
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

    test("shows its variables, its log in words and its rule", async () => {
        const { page } = await open("ripple.html", "#p=ripple&n=8&seed=1");
        await page.click("#one-event");
        const words = await page.evaluate(() => ringleader.machine.explain(0));
        assert.ok(words.length > 0 && words.every((line) => /u_\d/.test(line)), words.join());
        assert.match(await page.textContent("#commentary"), /u\d/);
        await page.evaluate(() => ringleader.page.choose(3));
        const agent = await page.textContent("#inspector-body");
        for (const variable of ["dist", "leader", "bullet", "shield", "signal"])
            assert.match(agent, new RegExp(variable));
        const { page: rule } = await open("ripple.html", "#p=ripple&n=8&show=rule");
        assert.match(await rule.textContent(".listing"), /if \(l->bullet && r->leader\) \{/);
    });

    test("has links that open the same ring at the same step", async () => {
        const { page } = await open("ripple.html", "#p=ripple&n=12&N=20&seed=5&start=random");
        await runToTarget(page);
        const fragment = new URL(page.url()).hash;
        assert.match(fragment, /p=ripple.*N=20/);
        const before = await page.evaluate(() => ringleader.machine.configuration());
        const { page: again } = await open("ripple.html", fragment);
        assert.equal(await again.evaluate(() => ringleader.machine.configuration()), before);
    });
});

describe("ringleader page", () => {
    const refuse = (status, text, words, more = {}, by = program) => {
        const done = spawnSync(by, ["page", ...words], { cwd: scratch, env: { ...env, ...more } });
        assert.equal(done.status, status, done.stderr.toString());
        assert.match(done.stderr.toString(), text);
    };

    test("says which packages are missing, and leaves nothing behind", () => {
        const tools = join(scratch, "tools");
        execFileSync("mkdir", [tools]);
        for (const name of ["cc", "gcc", "as", "ld"]) {
            const path = spawnSync("which", [name]).stdout.toString().trim();
            if (path) symlinkSync(path, join(tools, name));
        }
        refuse(3, /needs clang and lld: 'clang' cannot be run; install both \(on Debian: apt install clang lld\)/,
            ["-p", "ripple.c", "-o", "none.html"], { PATH: tools });
        symlinkSync(spawnSync("which", ["clang"]).stdout.toString().trim(), join(tools, "clang"));
        refuse(3, /'wasm-ld' cannot be run/, ["-p", "ripple.c", "-o", "none.html"], { PATH: tools });
        assert.ok(!existsSync(join(scratch, "none.html")));
        assert.deepEqual(readdirSync(scratch).filter((name) => name.startsWith("work.")), []);
    });

    test("says what of a file cannot be on a page, or what of the program is not there", () => {
        const words = ["-p", "other.c", "-o", "none.html"];
        const other = (more) => {
            writeFileSync(join(scratch, "other.c"), readFileSync(join(scratch, "ripple.c")) + more);
        };
        other(`/*${" ".repeat(100000)}*/\n`);
        refuse(2, /other.c: it has more than 100,000 bytes, too many for a page/, words);
        other("#ifdef __wasm__\n#error not in a browser\n#endif\n");
        refuse(2, /not in a browser[^]*other.c does not become WebAssembly with clang/, words);
        other("");
        ringleader("elect", "-p", "other.c", "-n", "5"); // it is in the cache now
        refuse(3, /there is no place to compile other.c in/, words, { TMPDIR: "/nowhere" });
        // The program alone, then beside a page that is none.
        const away = join(scratch, "away");
        execFileSync("mkdir", ["-p", join(away, "web")]);
        copyFileSync(program, join(away, "ringleader"));
        refuse(3, /the page that other.c would be put into was not built/, words, {}, join(away, "ringleader"));
        const web = resolve(dirname(program), "web");
        execFileSync("cp", ["-R", join(web, "ringleader.o"), join(web, "libc"), join(away, "web")]);
        writeFileSync(join(away, "web", "ringleader.html"), "<html></html>");
        refuse(3, /ringleader.html is no page of this program/, words, {}, join(away, "ringleader"));
        assert.ok(!existsSync(join(scratch, "none.html")));
    });

    test("does not write over the protocol, nor in place of a page that cannot be made", () => {
        refuse(2, /want two files, not one/, ["-p", "ripple.c", "-o", "./ripple.c"]);
        refuse(2, /which protocol\?/, ["-o", "none.html"]);
        refuse(2, /where to\?/, ["-p", "ripple.c"]);
        refuse(2, /prl.*cannot be read/, ["-p", "prl", "-o", "none.html"]);
        writeFileSync(join(scratch, "wrong.c"), "#include <math.h>\nint x = ;\n");
        writeFileSync(join(scratch, "kept.html"), "kept");
        refuse(2, /wrong.c/, ["-p", "wrong.c", "-o", "kept.html"]);
        refuse(3, /nowhere/, ["-p", "ripple.c", "-o", "nowhere/page.html"]);
        assert.equal(execFileSync("cat", [join(scratch, "kept.html")]).toString(), "kept");
    });
});
