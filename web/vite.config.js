// SPDX-License-Identifier: MIT
//
// The page as one file: scripts, styles, the font and the WebAssembly module, all inside the HTML.
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const build = resolve(process.env.RINGLEADER_BUILD ?? "../build");

// The rules of each protocol as its page in the docs has them: the first listing after the heading
// that speaks of rules, or of layers.
function rules() {
    const docs = resolve(import.meta.dirname, "../docs/protocols");
    const found = {};
    for (const file of readdirSync(docs).filter((name) => name.endsWith(".md"))) {
        const text = readFileSync(resolve(docs, file), "utf8");
        const listing = /^## .*(?:rules|layers)[^]*?^```\n([^]*?)^```/im.exec(text);
        if (listing) found[basename(file, ".md")] = listing[1].trimEnd();
    }
    return found;
}

// What the page imports from this build: the WebAssembly module in base64, and the rules.
const made = {
    "virtual:ringleader-module": () => JSON.stringify(readFileSync(resolve(build, "ringleader.wasm"), "base64")),
    "virtual:ringleader-rules": () => JSON.stringify(rules()),
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
