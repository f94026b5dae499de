import { describe, expect, it } from "vitest";
import { type Room, rooms } from "./rooms.ts";
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
    if (target.startsWith("src/")) return allows(room, target) ? [] : [`${file.path} imports ${target}`];
    const packages = room.packages;
    if (packages === undefined || target.startsWith("virtual:")) return [];
    const known = packages.some((name) => (typeof name === "string" ? name === target : name.test(target)));
    return known ? [] : [`${file.path} imports the package ${target}`];
  });
}

describe("rooms", () => {
  const product = sources.filter((file) => !isTest(file.path));

  it("finds the imports that it judges", () => {
    expect(product.length).toBeGreaterThan(50);
    expect(product.flatMap((file) => file.imports).length).toBeGreaterThan(100);
  });

  it("lets each room import only what the architecture allows", () => {
    expect(product.flatMap(violations)).toEqual([]);
  });

  it("keeps one area's pages from importing another's", () => {
    const area = (path: string) => /^src\/console\/pages\/([^/]+)\//.exec(path)?.[1];
    const crossings = product.flatMap((file) =>
      file.imports
        .filter(
          (target) =>
            area(file.path) !== undefined && area(target) !== undefined && area(target) !== area(file.path),
        )
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(crossings).toEqual([]);
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
    expect(bad("src/console/api/client.ts", "src/service/main.ts")).toHaveLength(1);
    expect(bad("src/service/areas/runs.ts", "src/service/http/server.ts")).toHaveLength(1);
    expect(bad("src/contract/runs.ts", "react")).toHaveLength(1);
    expect(bad("src/console/ui/Button.tsx", "@tanstack/react-query")).toHaveLength(1);
    expect(bad("src/somewhere/new.ts", "zod")).toHaveLength(1);
  });
});
