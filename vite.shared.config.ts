import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { endpointData } from "./scripts/build/endpoint-data.ts";
import { scriptsInPage } from "./scripts/build/scripts-in-page.ts";
import { fileOf, precompressed } from "./vite.config.ts";

/**
 * What a shared link opens, built after the console and into the same folder. A build of its own, so that nothing of the
 * console can end up in a chunk that a stranger loads, and the console's chunks stay as they are.
 */
export default defineConfig({
  html: { cspNonce: "__NONCE__" },
  plugins: [react(), tailwindcss(), endpointData(), scriptsInPage(), precompressed()],
  resolve: {
    alias: { "decode-named-character-reference": fileOf("decode-named-character-reference/index.js") },
  },
  worker: { format: "es", plugins: () => [endpointData()] },
  build: {
    outDir: "dist/console",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2023",
    sourcemap: false,
    // Nothing may become a data: address: the CSP loads scripts and workers from the page's own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: "shared.html",
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: "recipient", tags: ["$initial"] }] } },
    },
  },
});
