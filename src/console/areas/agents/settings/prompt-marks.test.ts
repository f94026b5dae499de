import { describe, expect, it } from "vitest";
import { chunksOfMine, marksOf } from "./PromptSection.tsx";

const text = (...lines: string[]) => lines.join("\n");
const marks = (base: string | null, mine: string | null, theirs?: string) =>
  marksOf(chunksOfMine(base, mine, theirs));

describe("lines of the prompt that are marked", () => {
  it("are none in an untouched text, and each line that was changed or added", () => {
    expect(marks("a\nb", "a\nb")).toEqual({ edited: [], also: [] });
    expect(marks(text("a", "b", "c"), text("a", "B", "c", "d")).edited).toEqual([2, 4]);
    expect(marks(null, "a\nb").edited).toEqual([1, 2]);
  });

  it("are the line after the gap where lines were only taken out, and the last one at the end", () => {
    expect(marks(text("a", "b", "c"), text("a", "c")).edited).toEqual([2]);
    expect(marks(text("a", "b"), text("a")).edited).toEqual([1]);
    expect(marks("a", null).edited).toEqual([1]);
  });

  it("are amber where another person changed the same place, and only there", () => {
    const base = text("one", "two", "three", "four");
    expect(marks(base, text("ONE", "two", "mine", "four"), text("one", "two", "theirs", "four"))).toEqual({
      edited: [1],
      also: [3],
    });
    expect(marks(base, base, "one")).toEqual({ edited: [], also: [] });
  });
});
