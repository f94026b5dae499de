import type { Plugin } from "vite";

/** What the service needs to know of the built console to name a route's scripts in the page (`src/service/http/route-scripts.ts`). */
export interface RouteScripts {
  /** The route's address: `/runs/$runId`. */
  readonly route: string;
  /** The scripts that it needs beyond those of every page, from the root: `/assets/….js`. */
  readonly scripts: readonly string[];
}

const routeFile = /\/app\/routes\/(.+)\.tsx(\?tsr-split=.*)?$/;

/** Writes `route-scripts.json` beside the built page: the scripts of each route, so that they come along with the first ones. */
export function routeScripts(): Plugin {
  return {
    name: "wheelhouse:route-scripts",
    apply: "build",
    generateBundle(_options, bundle) {
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
      // A route that is not split off needs nothing more; it is named all the same, so that no other one is taken for it.
      const scriptsOf = new Map<string, readonly string[]>();
      for (const { fileName, moduleIds } of chunks) {
        for (const id of moduleIds) {
          const [, file, split] = routeFile.exec(id) ?? [];
          if (file === undefined || file.split("/").at(-1)?.startsWith("_")) continue;
          const route = routeOf(file);
          const more = [...withImports(fileName)].filter((name) => !initial.has(name));
          if (split !== undefined) scriptsOf.set(route, more.map((name) => `/${name}`).sort());
          else if (!scriptsOf.has(route)) scriptsOf.set(route, []);
        }
      }
      const list: RouteScripts[] = [...scriptsOf]
        .map(([route, scripts]) => ({ route, scripts }))
        .sort((a, b) => a.route.localeCompare(b.route));
      this.emitFile({ type: "asset", fileName: "route-scripts.json", source: JSON.stringify(list) });
    },
  };
}

/** `_app/runs/$runId` is the file of `/runs/$runId`: a part with `_` before it stands in no address. */
function routeOf(file: string): string {
  const parts = file.split("/").filter((part) => !part.startsWith("_") && part !== "index");
  return `/${parts.join("/")}`;
}
