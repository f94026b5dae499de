import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { scriptsInPage } from "../../../scripts/build/scripts-in-page.ts";

/** Serves the sheet of parts: `npx vite -c src/testing/parts/vite.config.ts`. Never part of the product. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: "../../../public",
  cacheDir: "../../../node_modules/.cache/vite-parts",
  // As the product does it, so that what floats can be tried under its content security policy.
  html: { cspNonce: "parts" },
  plugins: [react(), tailwindcss(), scriptsInPage()],
  server: { port: 7790, strictPort: false },
});
