import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createServer, type Plugin } from "vite";

/** What the service needs to know of a route of the built console to name in the page what comes first (`src/service/http/console-routes.ts`). */
export interface ConsoleRoute {
  /** The route's address: `/runs/$runId`. */
  readonly route: string;
  /** The scripts that it needs beyond those of every page, from the root: `/assets/….js`. */
  readonly scripts: readonly string[];
  /** What it reads first, below `/api/v1`: `/runs/{runId}`, with its parameters and `{user}` left open. */
  readonly reads: readonly string[];
}

type Addresses = typeof import("../../src/console/app/read-addresses.ts");
const addresses = fileURLToPath(new URL("../../src/console/app/read-addresses.ts", import.meta.url));

/** What a page loads at once, though it is a file of its own: a part that others load later, or a worker. */
const parts: Readonly<Record<string, string>> = {
  "/agents/new": "NewAgentForm",
  "/inbox/$itemId": "QuestionDetail",
  "/knowledge/$sourceId": "SourceDetail",
  "/runs/$runId": "run-reader",
};

/**
 * Before a script that a page runs as it opens: Chromium compiles all its functions as it comes, beside the main thread, and
 * not each on the main thread when it is first called. Other browsers take it for a comment.
 * See https://v8.dev/blog/explicit-compile-hints.
 */
export const compileAhead = "//# allFunctionsCalledOnLoad";

const routeFile = /\/app\/routes\/(.+)\.tsx(\?tsr-split=.*)?$/;

/** Writes `console-routes.json` beside the built page: what each route needs first, so that it comes along with the first scripts. */
export function consoleRoutes(): Plugin {
  return {
    name: "wheelhouse:console-routes",
    apply: "build",
    generateBundle: {
      // The hint stands first in a script, also before what Vite itself puts there.
      order: "post",
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const withImports = (name: string, found = new Set<string>()): Set<string> => {
          if (found.has(name)) return found;
          found.add(name);
          for (const one of byName.get(name)?.imports ?? []) withImports(one, found);
          return found;
        };
        const initial = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...withImports(fileName)]),
        );
        // A route that is not split off needs no more scripts; it is named all the same, so that no other one is taken for it.
        const routes = new Map<string, ConsoleRoute>();
        const pages = new Map<string, string>();
        for (const { fileName, moduleIds } of chunks) {
          for (const id of moduleIds) {
            const [, file, split] = routeFile.exec(id) ?? [];
            if (file === undefined || file.split("/").at(-1)?.startsWith("_")) continue;
            const route = routeOf(file);
            const more = [...withImports(fileName)].filter((name) => !initial.has(name));
            const scripts =
              split === undefined
                ? (routes.get(route)?.scripts ?? [])
                : more.map((name) => `/${name}`).sort();
            routes.set(route, { route, scripts, reads: [] });
            pages.set(route, id);
          }
        }
        await withReadAddresses(async (readAddresses) => {
          for (const [route, id] of pages) {
            const known = routes.get(route);
            const reads = await readAddresses(await readsOf(id), paramsOf(route));
            if (known) routes.set(route, { ...known, reads });
          }
        });
        for (const [route, name] of Object.entries(parts)) {
          const known = routes.get(route);
          const part =
            chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${name}.tsx`)))?.fileName ??
            Object.keys(bundle).find((file) => file.startsWith(`assets/${name}-`));
          if (known === undefined || part === undefined)
            return this.error(`The page ${route} or its part ${name} is not in the build.`);
          const more = [...withImports(part)].filter((file) => !initial.has(file)).map((file) => `/${file}`);
          routes.set(route, { ...known, scripts: [...new Set([...known.scripts, ...more])] });
        }
        const list = [...routes.values()].sort((a, b) => a.route.localeCompare(b.route));
        for (const name of new Set([...initial, ...list.flatMap(({ scripts }) => scripts.map(fileOf))])) {
          const chunk = byName.get(name);
          if (chunk) chunk.code = `${compileAhead}\n${chunk.code}`;
        }
        this.emitFile({ type: "asset", fileName: "console-routes.json", source: JSON.stringify(list) });
      },
    },
  };
}

/** `_app/runs/$runId` is the file of `/runs/$runId`: a part with `_` before it stands in no address. */
function routeOf(file: string): string {
  const parts = file.split("/").filter((part) => !part.startsWith("_") && part !== "index");
  return `/${parts.join("/")}`;
}

/** The file of a script's address. */
const fileOf = (script: string): string => script.slice(1);

const paramsOf = (route: string): readonly string[] =>
  [...route.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name);

/** Which of the reads a route's loader starts (`src/console/app/loader.ts`); null: none. */
async function readsOf(id: string): Promise<string | null> {
  const code = await readFile(id.replace(/\?.*$/, ""), "utf8");
  return /start(?:Reads\("|Now\()(\w+)"?\)/.exec(code)?.[1] ?? null;
}

/** Lets `ask` ask the reads where they go. What a read loads only then is there as long as that takes. */
async function withReadAddresses(
  ask: (readAddresses: Addresses["readAddresses"]) => Promise<void>,
): Promise<void> {
  const server = await createServer({
    configFile: false,
    appType: "custom",
    logLevel: "error",
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { readAddresses } = (await server.ssrLoadModule(addresses)) as Addresses;
    await ask(readAddresses);
  } finally {
    await server.close();
  }
}
