import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { expect, it } from "vitest";
import { directImports } from "./direct-imports.ts";

const areas = fileURLToPath(new URL("../../src/console/areas/", import.meta.url));

/** The files of areas that a module of the area of agents brings into the build. */
async function filesWith(code: string): Promise<string[]> {
  const page = `${areas}agents/page.ts`;
  const found: string[] = [];
  const sources: Plugin = {
    name: "sources",
    enforce: "pre",
    // What these files import is not asked about.
    resolveId: (id, importer) => (id === page ? id : importer === page ? null : { id, external: true }),
    load: (id) => (id === page ? code : null),
    moduleParsed: ({ id }) => {
      if (id.startsWith(areas) && id !== page) found.push(id.slice(areas.length));
    },
  };
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [sources, directImports()],
    build: { write: false, minify: false, rolldownOptions: { input: page } },
  });
  return found;
}

it("a page that uses one name of another area brings the file behind that name, and no other of the area", async () => {
  expect(
    await filesWith(`import { toolName as named } from "../inbox/index.ts"; console.log(named);`),
  ).toEqual(["inbox/questions.ts"]);
});

it("a name that an area's index does not export ends the build", async () => {
  await expect(
    filesWith(`import { nameless } from "../inbox/index.ts"; console.log(nameless);`),
  ).rejects.toThrow(/inbox[\\/]index\.ts exports no nameless/);
});
