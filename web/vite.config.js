// SPDX-License-Identifier: MIT
//
// The page as one file: scripts, styles, the font and the WebAssembly module, all inside the HTML.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const build = resolve(process.env.RINGLEADER_BUILD ?? "../build");

// `import wasm from "virtual:ringleader-module"` is the module of this build, in base64.
const wasm = {
    name: "ringleader-wasm",
    resolveId: (id) => (id === "virtual:ringleader-module" ? "\0" + id : null),
    load: (id) =>
        id === "\0virtual:ringleader-module"
            ? `export default "${readFileSync(resolve(build, "ringleader.wasm"), "base64")}";`
            : null,
};

export default defineConfig({
    root: import.meta.dirname,
    plugins: [wasm, viteSingleFile({ removeViteModuleLoader: true })],
    build: {
        outDir: resolve(build, "web"),
        emptyOutDir: true,
        assetsInlineLimit: 1 << 30,
        reportCompressedSize: false,
        rollupOptions: { input: resolve(import.meta.dirname, "ringleader.html") },
    },
    logLevel: "warn",
});
