import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { chunkGroups } from "./scripts/build/chunks.ts";
import { consoleRoutes } from "./scripts/build/console-routes.ts";
import { directImports } from "./scripts/build/direct-imports.ts";
import { endpointData } from "./scripts/build/endpoint-data.ts";
import { frameInPage } from "./scripts/build/frame-in-page.ts";
import { iconData } from "./scripts/build/icon-data.ts";
import { preloadErrors } from "./scripts/build/preload-errors.ts";
import { scriptsInPage } from "./scripts/build/scripts-in-page.ts";
import { windowScroll } from "./scripts/build/window-scroll.ts";

/** Where `npm run dev` has its service. */
const devService = process.env.WHEELHOUSE_DEV_SERVICE ?? "http://127.0.0.1:7700";

export default defineConfig({
  // The service replaces the placeholders (`__NONCE__`, `__CONNECTIONS__`, `__ROUTE_SCRIPTS__`, `__READS__`) in each answer.
  html: { cspNonce: "__NONCE__" },
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/console/app/routes",
      generatedRouteTree: "src/console/app/routeTree.gen.ts",
      addExtensions: true,
      quoteStyle: "double",
      semicolons: true,
      routeFileIgnorePattern: "\\.test\\.",
    }),
    react(),
    iconData(),
    endpointData(),
    directImports(),
    tailwindcss(),
    connectionsOfDev(),
    sharedInDev(),
    scriptsInPage(),
    frameInPage(),
    preloadErrors(),
    windowScroll(),
    consoleRoutes(),
    precompressed(),
  ],
  resolve: {
    alias: [
      // Markdown is read in a worker, which has no document: this package has another file for that.
      {
        find: "decode-named-character-reference",
        replacement: fileOf("decode-named-character-reference/index.js"),
      },
      // The same icons, made of less (src/console/ui/icon.ts).
      {
        find: /^\.\.\/createLucideIcon\.mjs$/,
        replacement: fileURLToPath(new URL("src/console/ui/icon.ts", import.meta.url)),
      },
      // React has the hook that this package brings to older ones.
      { find: /^use-sync-external-store\/shim$/, replacement: "react" },
    ],
  },
  worker: { format: "es", plugins: () => [endpointData()] },
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    target: "es2023",
    sourcemap: false,
    // Nothing may become a data: address: the CSP loads fonts, workers and scripts from the console's own origin only.
    assetsInlineLimit: 0,
    // The page names the scripts of the asked route itself (scripts/build/console-routes.ts), and links load theirs when they are
    // pointed at.
    modulePreload: false,
    rolldownOptions: {
      // Compressing takes most of the time, as meant: nothing to tell people who install.
      checks: { bundlerTimings: false },
      // Nothing here reads a property for what its getter does beside.
      treeshake: { propertyReadSideEffects: false },
      output: {
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: chunkGroups,
        },
      },
    },
  },
  server: {
    port: 7701,
    strictPort: false,
    proxy: Object.fromEntries(["/api", "/upstream"].map((path) => [path, { target: devService }])),
  },
});

/** A file of a package by its own name, whatever the package exports. */
export function fileOf(path: string): string {
  return fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
}

/** In `vite dev` nobody fills in the offered connections: offers the service behind the proxy. */
function connectionsOfDev(): Plugin {
  const offered = [{ name: "Wheelhouse", path: "/api/v1", kind: "own" }];
  return {
    name: "wheelhouse:connections-of-dev",
    apply: "serve",
    transformIndexHtml: (html) =>
      html.replace("__CONNECTIONS__", JSON.stringify(offered).replaceAll('"', "&quot;")),
  };
}

/** In `vite dev`, as in the service, an address below `/shared/` is the page for strangers. */
function sharedInDev(): Plugin {
  return {
    name: "wheelhouse:shared-in-dev",
    apply: "serve",
    configureServer: (server) => {
      server.middlewares.use((request, _response, next) => {
        if (/^\/shared\/[^.]*$/.test(request.url ?? "")) request.url = "/shared.html";
        next();
      });
    },
  };
}

/** Writes `.br` and `.gz` beside each text file of the build, so that the service compresses nothing at run time. */
export function precompressed(): Plugin {
  let folder = "";
  const isText = /\.(js|css|svg|json|webmanifest)$/;
  return {
    name: "wheelhouse:precompressed",
    apply: "build",
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    // Not closeBundle: that also runs after a failed build, and would hide why it failed.
    writeBundle: {
      sequential: true,
      order: "post",
      handler: async () => {
        const names = await readdir(folder, { recursive: true });
        // What the other build has written beside this one is there already.
        for (const name of names.filter((one) => isText.test(one) && !names.includes(`${one}.br`))) {
          const path = join(folder, name);
          const bytes = await readFile(path);
          if (bytes.length < 512) continue; // a header would cost more than it saves
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
          // Smaller blocks fit what is in scripts better: all files together are 0.25 % smaller than with 8.
          await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9, memLevel: 7 }));
        }
      },
    },
  };
}
