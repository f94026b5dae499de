import { existsSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { createPrograms } from "../../testing/programs.ts";

const folder = testFolder();
const programs = createPrograms();
beforeAll(() => {
  writeFileSync(
    folder.in("wheelhouse.yaml"),
    `people: [{ id: a, email: a@example.org, first_name: A, last_name: B, plan: free }]\nretention: { runs: 90d }\n`,
  );
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  folder.remove();
});

test.each([
  ["resume"],
  ["keys list"],
  ["keys revoke key_1"],
  ["sign-in-link --person user_ada"],
  ["retention --workspace FOLDER"],
  ["files adopt"],
  ["files move --to FOLDER"],
  ["audit verify"],
])(
  "S-311: %s makes no database where there is none: it names --data and ends with 1",
  async (line) => {
    const data = folder.in("nowhere");
    const { said, code } = programs.start(
      [...line.replace("FOLDER", folder.path).split(" "), "--data", data],
      {
        WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
      },
    );
    expect([await code, said.out]).toEqual([1, ""]);
    expect(said.err).toContain(`There is no database in ${data}: look at --data.`);
    expect(existsSync(data)).toBe(false);
  },
  60_000,
);
