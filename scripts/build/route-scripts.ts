import type { Plugin } from "vite";

/** What the service needs to know of the built console to name a route's scripts in the page (`src/service/http/route-scripts.ts`). */
export interface RouteScripts {
  /** The route's address: `/runs/$runId`. */
  readonly route: string;
  /** The scripts that it needs beyond those of every page, from the root: `/assets/….js`. */
  readonly scripts: readonly string[];
}

const routeFile = /\/app\/routes\/(.+)\.tsx\?tsr-split=/;

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
      const list: RouteScripts[] = chunks.flatMap(({ fileName, moduleIds }) =>
        moduleIds.flatMap((id) => {
          const file = routeFile.exec(id)?.[1];
          if (file === undefined) return [];
          const scripts = [...withImports(fileName)].filter((name) => !initial.has(name));
          return [{ route: routeOf(file), scripts: scripts.map((name) => `/${name}`).sort() }];
        }),
      );
      list.sort((a, b) => a.route.localeCompare(b.route));
      this.emitFile({ type: "asset", fileName: "route-scripts.json", source: JSON.stringify(list) });
    },
  };
}

/** `_app/runs/$runId` is the file of `/runs/$runId`: a part with `_` before it stands in no address. */
function routeOf(file: string): string {
  const parts = file.split("/").filter((part) => !part.startsWith("_") && part !== "index");
  return `/${parts.join("/")}`;
}
