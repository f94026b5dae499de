// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { showTabBadge } from "./tabs.ts";

test("the number stands before every title that a page sets, also one that begins with a number", async () => {
  document.title = "Runs · Wheelhouse";
  const takeAway = showTabBadge(document, 2);
  expect(document.title).toBe("(2) Runs · Wheelhouse");
  document.title = "(2) tides · Wheelhouse";
  await expect.poll(() => document.title).toBe("(2) (2) tides · Wheelhouse");
  takeAway();
  expect(document.title).toBe("(2) tides · Wheelhouse");
});

test("a title that was set at the last moment stays when the number goes", () => {
  document.title = "Runs · Wheelhouse";
  const takeAway = showTabBadge(document, 1);
  document.title = "Agents · Wheelhouse";
  takeAway();
  expect(document.title).toBe("Agents · Wheelhouse");
});

test("the marked icon is the same wheel with a dot", () => {
  const plain = readFileSync("public/icon.svg", "utf8").trimEnd().split("\n");
  const marked = readFileSync("public/icon-news.svg", "utf8").trimEnd().split("\n");
  expect(marked.filter((line) => !line.includes("#b3261e"))).toEqual(plain);
  expect(marked).toHaveLength(plain.length + 1);
});
