// SPDX-License-Identifier: MIT
//
// The page as one file: scripts, styles, the font and the WebAssembly module, all inside the HTML.
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const build = resolve(process.env.RINGLEADER_BUILD ?? "../build");

// The rules of each protocol as its page in the docs has them: the listings under the heading that
// speaks of rules, or of layers; a layer has its name above it.
function rules() {
    const docs = resolve(import.meta.dirname, "../docs/protocols");
    const found = {};
    for (const file of readdirSync(docs).filter((name) => name.endsWith(".md"))) {
        const [section] = /^## .*(?:rules|layers)\n(?:(?!^## )[^])*/im.exec(readFileSync(resolve(docs, file), "utf8")) ?? [""];
        const listings = [...section.matchAll(/(?:^\*\*(\w+)\*\*(?:(?!^```)[^])*)?^```\n([^]*?)^```/gm)];
        if (listings.length > 0)
            found[basename(file, ".md")] = listings.map(([, name, text]) => (name ? `${name.toLowerCase()}:\n` : "") + text.trimEnd()).join("\n\n");
    }
    return found;
}

// How many times nN steps P_RL is proved to take at most; "" if the proof says it in another way.
function bound() {
    const proof = readFileSync(resolve(import.meta.dirname, "../proof/Theorem1.v"), "utf8");
    return /expected_steps_at_most N \(S_RL N\) c \((\d+) \* \(length c \* N\)\)/.exec(proof)?.[1] ?? "";
}

// What the page imports from this build: the WebAssembly module in base64, the rules, a bound, the version.
const made = {
    "virtual:ringleader-module": () => JSON.stringify(readFileSync(resolve(build, "ringleader.wasm"), "base64")),
    "virtual:ringleader-rules": () => JSON.stringify(rules()),
    "virtual:ringleader-bound": () => JSON.stringify(bound()),
    "virtual:ringleader-version": () => readFileSync(resolve(build, "version.h"), "utf8").match(/"[^"]*"/)[0],
};
const ours = {
    name: "ringleader",
    resolveId: (id) => (id in made ? "\0" + id : null),
    load: (id) => (id.slice(1) in made ? `export default ${made[id.slice(1)]()};` : null),
};

export default defineConfig({
    root: import.meta.dirname,
    plugins: [ours, viteSingleFile({ removeViteModuleLoader: true })],
    build: {
        outDir: resolve(build, "web"),
        emptyOutDir: true,
        assetsInlineLimit: 1 << 30,
        reportCompressedSize: false,
        rollupOptions: { input: resolve(import.meta.dirname, "ringleader.html") },
    },
    logLevel: "warn",
});
