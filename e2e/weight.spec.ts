import { readdirSync, readFileSync } from "node:fs";
import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { kilobytes, loadedScripts } from "./loaded-scripts.ts";
import { runEnds, startRun } from "./runs.ts";

test("the runs list needs at most 160 kB of JavaScript in at most 6 requests", async ({ page, service }) => {
  await runEnds(service, await startRun(service, "flow_hello", { name: "Listed" }));
  await signInByKey(page);
  const scripts = await loadedScripts(page, `${service.url}/runs`, "gzip");
  expect(kilobytes(scripts), JSON.stringify(scripts)).toBeLessThanOrEqual(160);
  expect(scripts.length).toBeLessThanOrEqual(6);
});

test("the console is built of at most 60 scripts, and no page needs more than 6", () => {
  const built = new URL("../dist/console/", import.meta.url);
  const scripts = readdirSync(new URL("assets/", built)).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeLessThanOrEqual(60);
  const ofEveryPage = readFileSync(new URL("index.html", built), "utf8").match(/<script /g)?.length ?? 0;
  const routes: { route: string; scripts: string[] }[] = JSON.parse(
    readFileSync(new URL("route-scripts.json", built), "utf8"),
  );
  expect(routes.length).toBeGreaterThan(20);
  for (const { route, scripts: own } of routes)
    expect(ofEveryPage + own.length, route).toBeLessThanOrEqual(6);
});

test("no scripts of the console import each other in a circle: what runs first would be chance", () => {
  const folder = new URL("../dist/console/assets/", import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const imports = new Map(
    scripts.map((name) => {
      const code = readFileSync(new URL(name, folder), "utf8");
      // Only what is imported before a script runs: a bare string in code is no import.
      const named = [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.js)"/g)].map(
        (found) => found[1] ?? "",
      );
      return [name, named.filter((one) => scripts.includes(one))] as const;
    }),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(scripts.length);
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    expect(above, `a circle through ${name}`).not.toContain(name);
    if (done.has(name)) return;
    for (const one of imports.get(name) ?? []) visit(one, [...above, name]);
    done.add(name);
  };
  for (const name of scripts) visit(name, []);
});
