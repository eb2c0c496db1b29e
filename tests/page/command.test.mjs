// SPDX-License-Identifier: MIT
//
// What `ringleader page` refuses, and says; own.test.mjs looks at the pages that it makes.
//   node --test tests/page        (after make web)
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = resolve(root, process.env.RINGLEADER_BUILD ?? "build", "ringleader");

let scratch, env;
const ringleader = (...words) => execFileSync(program, words, { cwd: scratch, env }).toString();

before(() => {
    scratch = mkdtempSync(join(tmpdir(), "ringleader-page-"));
    env = { ...process.env, XDG_CACHE_HOME: join(scratch, "cache") };
    ringleader("new", "ripple");
});
after(() => rmSync(scratch, { recursive: true }));

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
        refuse(2, /other.c: it has more than 100,000 bytes, which is too much for a page/, words);
        other("#ifdef __wasm__\n#error not in a browser\n#endif\n");
        refuse(2, /not in a browser[^]*other.c does not compile to WebAssembly with clang/, words);
        other("");
        ringleader("elect", "-p", "other.c", "-n", "5"); // it is in the cache now
        refuse(3, /there is no place to compile other.c:/, words, { TMPDIR: "/nowhere" });
        // The program alone, then with its sources, then beside a page that is none.
        const away = join(scratch, "away");
        execFileSync("mkdir", ["-p", join(away, "web")]);
        copyFileSync(program, join(away, "ringleader"));
        refuse(3, /the sources that other.c is compiled with are not installed/, words, {}, join(away, "ringleader"));
        copyFileSync(resolve(dirname(program), "ringleader-sources"), join(away, "ringleader-sources"));
        refuse(3, /the page for other.c was not built/, words, {}, join(away, "ringleader"));
        const web = resolve(dirname(program), "web");
        execFileSync("cp", ["-R", join(web, "ringleader.o"), join(web, "libc"), join(away, "web")]);
        writeFileSync(join(away, "web", "ringleader.html"), "<html></html>");
        refuse(3, /ringleader.html is not a page of this program/, words, {}, join(away, "ringleader"));
        assert.ok(!existsSync(join(scratch, "none.html")));
    });

    test("does not write over the protocol, nor in place of a page that cannot be made", () => {
        refuse(2, /need two different files, not one/, ["-p", "ripple.c", "-o", "./ripple.c"]);
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
