import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { compileAhead } from "../scripts/build/console-routes.ts";
import { endpoints } from "../src/contract/endpoints.ts";
import { artifactsOf, writeFiles } from "./artifacts.ts";
import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { kilobytes, loadedScripts, scriptsOf } from "./loaded-scripts.ts";
import { runEnds, startRun } from "./runs.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

const built = new URL("../dist/console/", import.meta.url);
const scriptsOfBuild = () => readdirSync(new URL("assets/", built)).filter((name) => name.endsWith(".js"));
const routesOfBuild = (): { route: string; scripts: string[] }[] =>
  JSON.parse(readFileSync(new URL("console-routes.json", built), "utf8"));

test("the runs list needs at most 155 kB of JavaScript in at most 6 requests", async ({ page, service }) => {
  await runEnds(service, await startRun(service, "flow_hello", { name: "Listed" }));
  await signInByKey(page);
  const scripts = await loadedScripts(page, `${service.url}/runs`, "gzip");
  expect(kilobytes(scripts), JSON.stringify(scripts)).toBeLessThanOrEqual(155);
  expect(scripts.length).toBeLessThanOrEqual(6);
});

test("the console is built of at most 60 scripts", () => {
  expect(scriptsOfBuild().length).toBeLessThanOrEqual(60);
});

test("Chromium compiles what a page runs as it opens beside the main thread, and nothing that may never be opened", () => {
  const first = routesOfBuild().flatMap(({ scripts }) =>
    scripts.map((script) => script.replace("/assets/", "")),
  );
  const isAhead = (name: string) =>
    readFileSync(new URL(`assets/${name}`, built), "utf8").startsWith(`${compileAhead}\n`);
  const ahead = scriptsOfBuild().filter(isAhead);
  expect(ahead.length).toBeGreaterThan(20);
  // A worker has no main thread to spare.
  expect(first.filter((name) => !ahead.includes(name) && !name.startsWith("run-reader-"))).toEqual([]);
  expect(ahead.filter((name) => /^(Pdf|Editor|pdf|workbook|markdown)/.test(name))).toEqual([]);
  expect(ahead.some((name) => name.startsWith("index-"))).toBe(true);
});

test("no script carries what only the service reads of the interface", () => {
  // The short ones are also words of pages.
  const words = Object.values(endpoints).flatMap(({ summary }) => (summary.length > 20 ? [summary] : []));
  expect(words.length).toBeGreaterThan(50);
  for (const name of scriptsOfBuild()) {
    const code = readFileSync(new URL(`assets/${name}`, built), "utf8");
    expect(
      words.filter((word) => code.includes(`\`${word}\``) || code.includes(`"${word}"`)),
      name,
    ).toEqual([]);
  }
});

test("no page loads more than 6 scripts, its workers with them", async ({ page, service }) => {
  const run = await startRun(service, "flow_hello", { name: "Opened" });
  await runEnds(service, run);
  const conversation = await writeFiles(service, [{ name: "opened.md", content: "# Opened" }]);
  const artifact = (await artifactsOf(service, conversation)).get("opened.md")?.id ?? "";
  const sources: { sources: { source_id: string }[] } = await (
    await service.request("GET", "/brain/sources?page_size=10")
  ).json();
  const known: Record<string, string> = {
    ...{ runId: run, agentId: "agent_scribe", interactionId: conversation, artifactId: artifact },
    sourceId: sources.sources[0]?.source_id ?? "",
  };
  await signInByKey(page);
  const routes = routesOfBuild();
  expect(routes.length).toBeGreaterThan(20);
  const pages = routes.filter((one) => one.route !== "/sign-in");
  pages.sort((a, b) => b.scripts.length - a.scripts.length);
  for (const { route } of long ? pages : pages.slice(0, 10)) {
    const path = route.replace(/\$(\w+)/g, (_, name) => known[name] ?? "").replace("$", "no/such/page");
    const stands = () => expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    const scripts = await scriptsOf(page, service.url + path, "gzip", stands);
    expect(scripts.length, `${path}: ${scripts.map((one) => one.path).join(" ")}`).toBeLessThanOrEqual(6);
  }
});

test("no page loads a heavy part for the sake of another: light pages stay within 240 kB, and all within 360", () => {
  const sizeOf = (name: string) => gzipSync(readFileSync(new URL(`.${name}`, built)), { level: 9 }).length;
  const first = scriptsOfBuild().filter((name) => name.startsWith("index-"));
  const sizes = new Map(
    routesOfBuild().map(({ route, scripts }) => {
      const all = [...first.map((name) => `/assets/${name}`), ...scripts];
      return [route, all.reduce((sum, name) => sum + sizeOf(name), 0) / 1000];
    }),
  );
  expect([...sizes].filter(([, size]) => size > 360)).toEqual([]);
  for (const light of ["/", "/inbox", "/search", "/runs/new", "/retention", "/sign-in"]) {
    expect(sizes.get(light), light).toBeLessThanOrEqual(240);
  }
});

test("no scripts of the console import each other in a circle: what runs first would be chance", () => {
  const scripts = scriptsOfBuild();
  const imports = new Map(
    scripts.map((name) => {
      const code = readFileSync(new URL(`assets/${name}`, built), "utf8");
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
