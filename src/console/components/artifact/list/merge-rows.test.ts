import { describe, expect, it } from "vitest";
import type { ArtifactIn } from "../../../api/queries/artifacts.ts";
import { mergeRows } from "./merge-rows.ts";

const row = (id: string, minute: number): ArtifactIn => ({
  id,
  filename: `${id}.txt`,
  created_at: `2026-11-20T08:${String(minute).padStart(2, "0")}:00Z`,
});
const ids = (rows: readonly ArtifactIn[]) => rows.map(({ id }) => id).join(" ");

describe("a list that is read page by page while it changes", () => {
  const older = [row("e", 5), row("d", 4), row("c", 3), row("b", 2), row("a", 1)];

  it("keeps what was read after the first page", () => {
    expect(ids(mergeRows([row("e", 5), row("d", 4)], older, "newest", false))).toBe("e d c b a");
  });

  it("shows what is new first, and loses nothing that it pushes out of the first page", () => {
    expect(ids(mergeRows([row("g", 7), row("f", 6)], older, "newest", false))).toBe("g f e d c b a");
  });

  it("drops what the first page should hold and does not: it was deleted", () => {
    expect(ids(mergeRows([row("e", 5), row("c", 3)], older, "newest", false))).toBe("e c b a");
  });

  it("knows the other orders", () => {
    const byName = [row("a", 9), row("b", 1), row("c", 5), row("d", 2)];
    expect(ids(mergeRows([row("a", 9), row("c", 5)], byName, "name_asc", false))).toBe("a c d");
    expect(ids(mergeRows([row("a", 1), row("c", 3)], older.toReversed(), "oldest", false))).toBe("a c d e");
  });

  it("loses no file of a service that sorts names in the way of its language", () => {
    const [rec, red] = [row("réb", 1), row("rec", 2)];
    expect(ids(mergeRows([row("rea", 3), rec], [red, row("red", 4)], "name_asc", false))).toBe(
      "rea réb rec red",
    );
  });

  it("is the first page alone where that is all, and has each version once", () => {
    expect(ids(mergeRows([row("e", 5), row("e", 5)], older, "newest", true))).toBe("e");
  });

  it("C-01: keeps rows without a time: nobody can say where they belong", () => {
    expect(ids(mergeRows([row("e", 5)], [{ id: "odd" }, ...older], "newest", false))).toBe("e odd d c b a");
  });
});
