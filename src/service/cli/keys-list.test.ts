import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { createPrograms } from "../../testing/programs.ts";

const folder = testFolder();
const programs = createPrograms();
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  await fresh.store.pool.query(
    "insert into users (id, email, first_name, last_name, plan) values ('user_ada', 'a@x.example', 'A', 'B', 'pro')",
  );
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  await fresh.drop();
  folder.remove();
});

test("S-425: a key whose name holds orders for a terminal or other lines is one plain line in the list of keys", async () => {
  const run = async (...args: string[]) => {
    const { said, code } = programs.start(["keys", ...args, "--data", folder.in("data")], {
      DATABASE_URL: fresh.url,
    });
    expect([await code, said.err]).toEqual([0, expect.not.stringContaining("Error")]);
    return said.out;
  };
  const name = "ci\u001b[2K\u001b[1A\nkey_0  personal\u2028user_ada\u202e";
  await run("create", "--person", "user_ada", "--name", name);
  const listed = await run("list");
  expect(listed.trimEnd().split(/[\n\u2028]/)).toHaveLength(1);
  expect(listed).toContain("ci\\u001b[2K\\u001b[1A\\u000akey_0  personal\\u2028user_ada\\u202e  never used");
}, 60_000);
