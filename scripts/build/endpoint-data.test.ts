import { build, type Plugin, type Rolldown } from "vite";
import { expect, it } from "vitest";
import { endpointData } from "./endpoint-data.ts";

const files: Readonly<Record<string, string>> = {
  "/src/contract/define.ts": "export function endpoint(given) { return { ...given }; }",
  "/src/contract/runs.ts": `import * as z from "zod/mini";
    import { endpoint } from "/src/contract/define.ts";
    const limits = z.object({ page_size: z.string().check(z.minLength(1, "must have a length")) });
    export const listRuns = endpoint({
      name: "listRuns", summary: "List all the runs", query: limits, kind: "read", response: z.object({ runs: z.array(z.string()) }),
    });`,
};

/** The code of one console module, built with the interface above. */
async function builtWith(page: string): Promise<string> {
  const all = { ...files, "/src/console/page.ts": page };
  const sources: Plugin = {
    name: "sources",
    enforce: "pre",
    resolveId: (id) => (id in all ? id : null),
    load: (id) => Object.entries(all).find(([name]) => name === id)?.[1] ?? null,
  };
  const made = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [sources, endpointData()],
    build: { write: false, minify: false, rolldownOptions: { input: "/src/console/page.ts" } },
  });
  const outputs = [made].flat().flatMap((one) => ("output" in one ? one.output : []));
  return outputs
    .map((one: Rolldown.OutputChunk | Rolldown.OutputAsset) => ("code" in one ? one.code : ""))
    .join("");
}

const importing = `import { listRuns } from "/src/contract/runs.ts";`;

it("the console carries of an endpoint what it reads, and nothing that only the service does", async () => {
  const code = await builtWith(`${importing} console.log(listRuns.name, listRuns.response);`);
  expect(code).toContain('"listRuns"');
  expect(code).toContain('"read"');
  expect(code).not.toContain("List all the runs");
  expect(code).not.toContain("must have a length");
});

it("a module of the console that reads what is left out ends the build", async () => {
  await expect(builtWith(`${importing} console.log(listRuns.query);`)).rejects.toThrow(/listRuns\.query/);
});
