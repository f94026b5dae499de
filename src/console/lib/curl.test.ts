import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { curlOf } from "./curl.ts";

/** What a real shell makes of the line: one argument per line of NUL-separated output. */
const asShellReadsIt = (line: string): string[] =>
  execFileSync("sh", ["-c", `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }; ${line}`], {
    env: { WHEELHOUSE_KEY: "the-key", PATH: process.env.PATH },
  })
    .toString()
    .split("\0")
    .slice(0, -1);

describe("a request as a curl line", () => {
  it("C-25: has the key as a variable of the shell", () => {
    const line = curlOf({
      method: "POST",
      url: "http://localhost:7700/api/v1/start_pipeline?saved_item_id=f",
      body: {},
    });
    expect(line).toContain('"Authorization: Bearer $WHEELHOUSE_KEY"');
    expect(asShellReadsIt(line)).toContain("Authorization: Bearer the-key");
  });

  it("says the same to a shell whatever the values hold", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        (text) => {
          const body = { text: `${text}'"$(x)\`\\` };
          const read = asShellReadsIt(curlOf({ method: "POST", url: "http://h/", body }));
          expect(JSON.parse(read.at(-1) ?? "")).toEqual(body);
        },
      ),
      { numRuns: 25 },
    );
  });
});
