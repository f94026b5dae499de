import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeObject } from "../../../testing/security/objects.ts";
import { startWorld, type World } from "../../../testing/security/world.ts";
import { writeAttached } from "../../engine/attached-rows.ts";
import { readFileTool, writeFileTool } from "./files.ts";
import { capResult, type TurnFacts } from "./tool.ts";

let world: World;
let facts: TurnFacts;
beforeAll(async () => {
  world = await startWorld();
  const interactionId = await makeObject(world.context, "interaction", "own");
  facts = { executionId: "none", interactionId, agentId: "agent_ann", userId: "user_ann", teamId: null };
});
afterAll(() => world.stop());

const db = () => world.context.store.db;

/** One call of `write_file`, up to the statement that records it. */
async function called(name: string, content: string, key: string) {
  const { files, ids } = world.context;
  const tool = writeFileTool({ db: db(), files, ids });
  const outcome = await tool.run({
    args: { name, content },
    facts,
    key,
    answered: [],
    signal: new AbortController().signal,
  });
  if (outcome.type !== "done" || outcome.rows === undefined) throw new Error("the call did not end");
  const { result, rows } = outcome;
  return { result, record: () => writeAttached(db(), facts.executionId, rows) };
}

async function versionsOf(name: string): Promise<{ numbers: number[]; newest: number }> {
  const rows = await db()
    .selectFrom("artifact_versions as v")
    .innerJoin("artifacts as a", "a.id", "v.artifact_id")
    .select(["v.major_version", "a.major_version as newest"])
    .where("a.interaction_id", "=", facts.interactionId)
    .where("a.filename", "=", name)
    .orderBy("v.major_version")
    .execute();
  return { numbers: rows.map((row) => row.major_version), newest: rows[0]?.newest ?? 0 };
}

describe("write_file", () => {
  test("gives no number twice when two calls write a name at once: the second writes nothing, and again is next", async () => {
    for (const name of ["new.md", "old.md"]) {
      if (name === "old.md") await (await called(name, "zero", "file_before")).record();
      const before = (await versionsOf(name)).newest;
      const calls = await Promise.all(
        Array.from({ length: 5 }, (_, at) => called(name, `text ${at}`, `${name.slice(0, 3)}_call_${at}`)),
      );
      const ended = await Promise.allSettled(calls.map((one) => one.record()));
      expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const again = await called(name, "again", `${name.slice(0, 3)}_again`);
      await again.record();
      expect(again.result).toMatchObject({ version: before + 2 });
      const numbers = Array.from({ length: before + 2 }, (_, at) => at + 1);
      expect(await versionsOf(name)).toEqual({ numbers, newest: before + 2 });
    }
  });

  test("what a worker writes that has lost the turn replaces nothing: the model may have told it something else", async () => {
    const { files } = world.context;
    const living = await called("told.md", "what the next one was told", "1-0-exec_told");
    await living.record();
    // The same call of the same turn, which the first worker was told before it was stopped.
    await called("told.md", "what the first one was told", "1-0-exec_told");
    const version = await db()
      .selectFrom("artifact_versions as v")
      .innerJoin("artifacts as a", "a.version_id", "v.id")
      .select(["v.file_id", "v.size"])
      .where("a.filename", "=", "told.md")
      .executeTakeFirstOrThrow();
    const stream = await files.read(version.file_id);
    expect(stream === null ? null : await text(stream)).toBe("what the next one was told");
    expect(version.size).toBe(26);
    // What lies there is known by the id of its execution.
    expect(version.file_id).toMatch(/-1-0-exec_told$/);
  });

  test("one that is deleted in the middle of a call stays deleted, and the call begins the name anew", async () => {
    const first = await called("going.md", "one", "1-0-exec_going");
    await first.record();
    const { record } = await called("going.md", "two", "2-0-exec_going");
    const named = () => db().selectFrom("artifacts").selectAll().where("filename", "=", "going.md");
    const { id } = await named().executeTakeFirstOrThrow();
    await db().updateTable("artifacts").set({ removed_at: new Date() }).where("id", "=", id).execute();
    await record();
    const rows = await named().orderBy("created_at").execute();
    expect(rows.map((row) => [row.id === id, row.removed_at !== null, row.major_version])).toEqual([
      [true, true, 1],
      [false, false, 1],
    ]);
  });
});

describe("read_file", () => {
  test("says of a file that is too long for a result how long it really is", async () => {
    await (await called("long.txt", "word ".repeat(200_000), "1-0-exec_long")).record();
    const { files, ids } = world.context;
    const call = { args: { name: "long.txt" }, facts, key: "1-1-exec_long", answered: [] };
    const outcome = await readFileTool({ db: db(), files, ids }).run({
      ...call,
      signal: new AbortController().signal,
    });
    if (outcome.type !== "done") throw new Error("the file was not read");
    expect(String(capResult(outcome.result)).slice(-40)).toMatch(/… cut: 1000000 characters in all$/);
  });
});
