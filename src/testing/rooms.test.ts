import { describe, expect, it } from "vitest";
import { consoleAreas, type Room, rooms } from "./rooms.ts";
import { readSources, type SourceFile } from "./source-files.ts";

const sources = readSources("src");
const isTest = (path: string) => /\.test\.tsx?$/.test(path);

function inside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function roomOf(path: string): Room | undefined {
  return rooms.filter((room) => inside(path, room.at)).sort((a, b) => b.at.length - a.at.length)[0];
}

function allows(room: Room, target: string): boolean {
  if (target.endsWith(".css") || target.endsWith(".gen") || target.endsWith(".gen.ts")) return true;
  const owner = roomOf(target);
  if (owner === room) return true;
  return room.may.some((rule) =>
    rule.endsWith("/*") ? inside(target, rule.slice(0, -2)) : inside(target, rule),
  );
}

function violations(file: SourceFile): string[] {
  const room = roomOf(file.path);
  if (room === undefined) return [`${file.path} lies in no room that src/testing/rooms.ts lists`];
  return file.imports.flatMap((target) => {
    if (target.startsWith("src/")) return allows(room, target) ? [] : [refusal(room, file, target)];
    const packages = room.packages;
    if (packages === undefined || target.startsWith("virtual:")) return [];
    const known = packages.some((name) => (typeof name === "string" ? name === target : name.test(target)));
    return known ? [] : [`${file.path} imports the package ${target}, which is none of ${room.at}`];
  });
}

/** What is wrong with an import, and what to do instead. */
function refusal(room: Room, { path }: SourceFile, target: string): string {
  const [area] = /^src\/console\/areas\/[^/]+/.exec(target) ?? [];
  const door = `${area}/index.ts`;
  const instead = room.may.includes(door)
    ? `import it from ${door}`
    : `${room.at} may use ${room.may.join(", ")}`;
  return `${path} imports ${target}: ${instead}`;
}

/** The ways from something back to itself; each circle once. */
function circles(all: readonly string[], next: (one: string) => readonly string[]): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (one: string, above: readonly string[]): void => {
    const at = above.indexOf(one);
    if (at >= 0) found.push([...above.slice(at), one]);
    if (at >= 0 || done.has(one)) return;
    for (const other of next(one)) visit(other, [...above, one]);
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return found;
}

describe("rooms", () => {
  const product = sources.filter((file) => !isTest(file.path));

  it("finds the imports that it judges", () => {
    expect(product.length).toBeGreaterThan(50);
    expect(product.flatMap((file) => file.imports).length).toBeGreaterThan(100);
  });

  it("lets each room import only what the architecture allows", () => {
    expect(product.flatMap(violations), "who may import whom stands in src/testing/rooms.ts").toEqual([]);
  });

  it("lists every area of the console", () => {
    const found = product.flatMap(({ path }) => /^src\/console\/areas\/([^/]+)\//.exec(path)?.[1] ?? []);
    expect([...new Set(found)].sort(), "consoleAreas of src/testing/rooms.ts").toEqual(
      Object.keys(consoleAreas).sort(),
    );
  });

  it("lets no area come back to itself through others", () => {
    expect(circles(Object.keys(consoleAreas), (area) => consoleAreas[area] ?? [])).toEqual([]);
  });

  it("lets no file of the console's data layer come back to itself through others", () => {
    const files = new Map(product.map(({ path, imports }) => [path, imports]));
    const layer = [...files.keys()].filter((path) => inside(path, "src/console/api"));
    expect(layer.length).toBeGreaterThan(20);
    expect(circles(layer, (path) => files.get(path) ?? [])).toEqual([]);
  });

  it("sees a circle when there is one", () => {
    const to: Record<string, readonly string[]> = { a: ["b"], b: ["c"], c: ["b"] };
    expect(circles(["a", "b", "c"], (one) => to[one] ?? [])).toEqual([["b", "c", "b"]]);
  });

  it("keeps test helpers out of the product", () => {
    const leaks = product
      .filter((file) => !inside(file.path, "src/testing"))
      .flatMap((file) =>
        file.imports
          .filter((target) => inside(target, "src/testing"))
          .map((t) => `${file.path} imports ${t}`),
      );
    expect(leaks).toEqual([]);
  });

  it("sees a forbidden import when there is one", () => {
    const bad = (path: string, target: string) => violations({ path, text: "", imports: [target] });
    expect(bad("src/console/areas/mcp/x.ts", "src/console/areas/inbox/form.ts")).toEqual([
      expect.stringMatching(/import it from src\/console\/areas\/inbox\/index.ts$/),
    ]);
    expect(bad("src/console/api/client.ts", "src/service/main.ts")).toHaveLength(1);
    expect(bad("src/service/areas/runs.ts", "src/service/http/server.ts")).toHaveLength(1);
    expect(bad("src/contract/runs.ts", "react")).toHaveLength(1);
    expect(bad("src/console/ui/Button.tsx", "@tanstack/react-query")).toHaveLength(1);
    expect(bad("src/console/api/client.ts", "src/console/lib/history/history.ts")).toHaveLength(1);
    expect(bad("src/console/areas/agents/x.ts", "src/console/areas/runs/mutations.ts")).toHaveLength(1);
    expect(bad("src/console/areas/runs/x.ts", "src/console/areas/agents/index.ts")).toHaveLength(1);
    expect(bad("src/somewhere/new.ts", "zod")).toHaveLength(1);
  });
});
