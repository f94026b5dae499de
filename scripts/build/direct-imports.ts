import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Plugin, parseSync } from "vite";

/** What an area lets others use: pure exports from its files, each by its name. */
const isIndex = /[\\/]src[\\/]console[\\/]areas[\\/][\w-]+[\\/]index\.tsx?$/;

/** Where each name of an index is made, by the name that others use. */
type Origins = ReadonlyMap<string, { readonly file: string; readonly name: string }>;

/**
 * Lets what imports from an area's `index.ts` import from the files behind it. The index names all that others may use, so that
 * a page with one part of an area would count as a page that needs them all (`pagesOf` in `scripts/build/chunks.ts`).
 */
export function directImports(): Plugin {
  const read = new Map<string, Promise<Origins>>();
  const originsOf = (index: string): Promise<Origins> => {
    const known = read.get(index) ?? readFile(index, "utf8").then((code) => originsIn(index, code));
    read.set(index, known);
    return known;
  };
  return {
    name: "wheelhouse:direct-imports",
    apply: "build",
    transform: {
      // What has been TypeScript names no types any more.
      order: "post",
      filter: { id: /[\\/]src[\\/]console[\\/]/, code: /index\.tsx?["']/ },
      async handler(code, id) {
        let direct = code;
        const file = id.replace(/\?.*$/, "");
        for (const { start, end, moduleRequest, entries } of parseSync(
          "module.js",
          code,
        ).module.staticImports.toReversed()) {
          const index = join(dirname(file), moduleRequest.value);
          if (!isIndex.test(index)) continue;
          const origins = await originsOf(index);
          const lines = entries.map(({ importName, localName }) => {
            const origin = origins.get(importName.name ?? "");
            if (origin === undefined)
              return this.error(`${file}: ${index} exports no ${localName.value} by its name.`);
            return `import { ${origin.name} as ${localName.value} } from ${JSON.stringify(origin.file)};`;
          });
          direct = direct.slice(0, start) + lines.join("") + direct.slice(end);
        }
        return direct === code ? null : { code: direct, map: null };
      },
    },
  };
}

function originsIn(index: string, code: string): Origins {
  const exports = parseSync(index, code).module.staticExports.flatMap(({ entries }) => entries);
  return new Map(
    exports.flatMap(({ exportName, importName, moduleRequest }) =>
      moduleRequest && exportName.name && importName.name
        ? [
            [
              exportName.name,
              { file: join(dirname(index), moduleRequest.value), name: importName.name },
            ] as const,
          ]
        : [],
    ),
  );
}
