import "../../../api/jitless.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../../testing/test-wheelhouse.ts";
import { Conversations } from "../../../lib/history/conversations.ts";
import { History } from "../../../lib/history/history.ts";
import type { KeyValue } from "../../../lib/history/key-value.ts";
import { importKnown } from "./import-known.ts";
import { writeKnown } from "./read-write-known.ts";

const ada = "/api/v1 person user_ada ";
const grace = "/api/v1 person user_grace team_harbor";
const service = "http://localhost:7700";
const now = Date.parse("2026-11-20T08:15:00Z");
const header = (part = {}) =>
  JSON.stringify({ format: "wheelhouse-known", version: 1, service, as: ada, ...part });

/** One browser: what it knows of Ada's things, over a store that others may share. */
async function browser(store: KeyValue = memoryStore(), as = ada) {
  const runs = new History(store, as, () => now);
  const conversations = new Conversations(store, as, () => now);
  await Promise.all([runs.load(), conversations.load()]);
  return { store, as, service, now, runs, conversations };
}
type Browser = Awaited<ReturnType<typeof browser>>;

async function* bytesOf(text: string, step = 1 << 20) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += step) yield bytes.slice(at, at + step);
}
const take = (into: Browser, text: string, step?: number) => importKnown(bytesOf(text, step), into);
const lines = (...all: readonly unknown[]) =>
  all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
const written = async ({ runs, conversations, as }: Browser, isSecret = (_: string) => false) => {
  const owner = { service, as };
  return writeKnown(runs.list.get(), conversations.list.get(), { owner, now, isSecret });
};

const aKnownRun = (part = {}) => ({
  id: "rec_1",
  runId: "run_1",
  start: "started",
  provenance: "started-here",
  savedItemId: "flow_hello",
  savedItemName: "Say hello",
  projectId: null,
  inputs: { name: "Ada" },
  knownAt: now - 60_000,
  last: { state: "RUNNING", createdTs: null, finishedTs: null, seenAt: now - 50_000 },
  error: null,
  ...part,
});
const aKnownConversation = (part = {}) => ({
  id: "key_1",
  interactionId: "int_1",
  start: "started",
  provenance: "started-here",
  agentId: "agent_1",
  agentName: "Clerk",
  name: "Which berths are free?",
  projectId: null,
  knownAt: now - 60_000,
  asked: { text: "Which berths are free?", at: now - 60_000 },
  last: null,
  error: null,
  ...part,
});
/** A browser in which Ada started a run and a conversation. */
async function ofAda() {
  const one = await browser();
  await take(one, lines(header(), { run: aKnownRun() }, { conversation: aKnownConversation() }));
  return one;
}

describe("taking along what a browser knows", () => {
  test("what one browser wrote, another reads, and says whence it knows it", async () => {
    const file = (await written(await ofAda())).lines.join("");
    const other = await browser();
    expect(await take(other, file)).toMatchObject({ added: 2, problems: [], moreProblems: 0 });
    expect(other.runs.list.get()).toMatchObject([
      { ...aKnownRun(), provenance: "imported", inputs: { name: "Ada" } },
    ]);
    expect(other.conversations.find("int_1")).toMatchObject({ name: "Which berths are free?" });
    // Also after a reload.
    const reloaded = await browser(other.store);
    expect(reloaded.runs.list.get()).toEqual(other.runs.list.get());
    expect(await take(reloaded, file)).toMatchObject({ added: 0, renewed: 0, same: 2 });
  });

  test("of two records of one run the newer wins, and what it does not say stays", async () => {
    const one = await ofAda();
    const done = { state: "DONE", createdTs: null, finishedTs: "2026-11-20T08:14:30Z", seenAt: now - 10_000 };
    const newer = aKnownRun({ id: "rec_9", savedItemName: "Greet", inputs: null, last: done });
    expect(await take(one, lines(header(), { run: newer }))).toMatchObject({ added: 0, renewed: 1 });
    expect(one.runs.list.get()).toMatchObject([
      { id: "rec_1", savedItemName: "Greet", inputs: { name: "Ada" }, last: { state: "DONE" } },
    ]);
    const older = aKnownRun({
      savedItemName: "Old name",
      last: { ...done, state: "RUNNING", seenAt: 5 },
      knownAt: 5,
    });
    expect(await take(one, lines(header(), { run: older }))).toMatchObject({ renewed: 0, same: 1 });
    expect(one.runs.list.get()).toMatchObject([{ savedItemName: "Greet", last: { state: "DONE" } }]);
  });

  test("a start that was unclear here is cleared up by a browser that saw its id", async () => {
    const one = await browser();
    await take(one, lines(header(), { run: aKnownRun({ runId: null, start: "sending", last: null }) }));
    expect(one.runs.list.get()).toMatchObject([{ runId: null, start: "unclear" }]);
    await take(one, lines(header(), { run: aKnownRun() }));
    expect(one.runs.list.get()).toMatchObject([{ runId: "run_1", start: "started" }]);
  });

  test("lines that cannot be taken are named by their number, and the rest is taken", async () => {
    const one = await ofAda();
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const file = lines(
      header(),
      '{"run": {"id": "cut',
      "",
      { run: { ...aKnownRun(), knownAt: "yesterday" } },
      { knowledge: {} },
      { run: aKnownRun({ runId: "run_2" }) },
      JSON.stringify({ run: aKnownRun({ id: "rec_3", runId: "run_3", inputs: { x: 0 } }) }).replace(
        '"x":0',
        `"x":${deep}`,
      ),
      { conversation: aKnownConversation({ id: "key_4", interactionId: "int_4" }) },
      header({ version: 2 }),
      { run: aKnownRun({ id: "rec_5", runId: "run_5" }) },
      header({ format: "other" }),
    );
    const report = await take(one, file);
    expect(report.added).toBe(1);
    expect(report.problems).toEqual([
      { line: 2, problem: "is not JSON, or cut off" },
      { line: 4, problem: "is not a valid run" },
      { line: 5, problem: "is neither a run nor a conversation" },
      { line: 6, problem: "has the ID of another record" },
      { line: 7, problem: "has inputs of more than 100 levels" },
      {
        line: 9,
        problem: "has version 2, which this console does not know; the line below it was skipped too",
      },
      { line: 11, problem: "has the format other, not wheelhouse-known" },
    ]);
    expect(one.runs.list.get()).toMatchObject([{ id: "rec_1", runId: "run_1" }]);
  });

  test("a file without the line that says what it is gives nothing", async () => {
    const one = await browser();
    const report = await take(one, lines({ run: aKnownRun() }, header()));
    expect(report).toMatchObject({ added: 0, problems: [{ line: 1 }] });
    expect(await take(one, "")).toMatchObject({ added: 0, problems: [] });
  });

  test("what belongs to somebody else is kept apart, until they sign in here", async () => {
    const one = await ofAda();
    const file = lines(
      header({ as: grace }),
      { run: aKnownRun() },
      { conversation: aKnownConversation({ name: "Hers" }) },
    );
    expect(await take(one, file)).toMatchObject({ added: 2, apart: 2 });
    expect(one.conversations.list.get()).toMatchObject([{ name: "Which berths are free?" }]);
    const hers = await browser(one.store, grace);
    expect(hers.conversations.list.get()).toMatchObject([{ name: "Hers" }]);
    expect(hers.runs.list.get()).toHaveLength(1);
  });

  test("what another service knows is left out, unless it is the same under another address", async () => {
    const one = await browser();
    const there = "https://wheelhouse.example.com";
    const file = lines(header({ service: there }), { run: aKnownRun() });
    expect(await take(one, file)).toMatchObject({ added: 0, elsewhere: [{ service: there, count: 1 }] });
    expect(await one.store.read("")).toEqual([]);
    const report = await importKnown(bytesOf(file), { ...one, sameServices: [there] });
    expect(report).toMatchObject({ added: 1, elsewhere: [] });
  });

  test("where the room ends the oldest of the file are left out, never what was there", async () => {
    const one = await ofAda();
    const many = Array.from({ length: 2_100 }, (_, at) => ({
      run: aKnownRun({ id: `many_${at}`, runId: `many_${at}`, knownAt: now - at }),
    }));
    expect(await take(one, lines(header(), ...many))).toMatchObject({ added: 1_999, noRoom: 101 });
    const reloaded = await browser(one.store);
    expect(reloaded.runs.list.get()).toHaveLength(2_000);
    expect(reloaded.runs.list.get().some(({ id }) => id === "rec_1")).toBe(true);
    expect(reloaded.runs.list.get().some(({ id }) => id === "many_2050")).toBe(false);
  });

  test("times in the future, names that are too long and a line without end do no harm", async () => {
    const one = await browser();
    const file = lines(
      header(),
      { run: aKnownRun({ knownAt: 8e15, last: { ...aKnownRun().last, seenAt: 8e15 } }) },
      { run: aKnownRun({ id: "rec_2", runId: "run_2", savedItemName: "x".repeat(50_000) }) },
      `{"run": "${"y".repeat(4_100_000)}"}`,
      { run: aKnownRun({ id: "rec_4", runId: "run_4", knownAt: -1e300 }) },
    );
    expect(await take(one, file, 10_000)).toMatchObject({
      added: 2,
      problems: [{ line: 3 }, { line: 4, problem: "is longer than 4 MB" }],
    });
    for (const { knownAt } of one.runs.list.get()) expect(new Date(knownAt).toISOString()).toBeTruthy();
    expect(one.runs.list.get()[0]).toMatchObject({ knownAt: now, last: { seenAt: now } });
  });

  test("nothing that looks like a key goes into the file: such a record goes without what was sent", async () => {
    const one = await browser();
    const withKey = aKnownRun({ id: "rec_2", runId: "run_2", inputs: { password: "hunter2" } });
    await take(one, lines(header(), { run: aKnownRun() }, { run: withKey }));
    const { lines: out, bare } = await written(one, (text) => /password:hunter2/.test(text));
    expect(bare).toBe(1);
    expect(out.join("")).not.toContain("hunter2");
    expect(out).toHaveLength(3);
    expect(out.join("")).toContain('"name":"Ada"');
  });

  test("forgetting takes them from the list and from the store", async () => {
    const one = await ofAda();
    await one.runs.forget(...one.runs.list.get().map(({ id }) => id));
    await one.conversations.forget(...one.conversations.list.get().map(({ id }) => id));
    expect([one.runs.list.get(), one.conversations.list.get(), await one.store.read("")]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe("hostile files", () => {
  const key = fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "id",
    "runId",
    "inputs",
    "last",
    "asked",
    "run",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("rec_1", "run_1", "key_1", "int_1", "__proto__"),
  );
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      fc.double(),
      fc.constantFrom(null, true, -0),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(key, text), tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  const changed = (record: object) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(record)), fc.oneof(value, text), { maxKeys: 3 })
      .map((part) => ({
        ...record,
        ...part,
      }));
  const line = fc.oneof(
    changed(aKnownRun()).map((run) => JSON.stringify({ run })),
    changed(aKnownConversation()).map((conversation) => JSON.stringify({ conversation })),
    changed({ format: "wheelhouse-known", version: 1, service, as: ada }).map((one) => JSON.stringify(one)),
    value.map((one) => JSON.stringify(one) ?? ""),
    text,
    fc.constant('{"__proto__": {"run": {}}, "run": {"__proto__": {"id": "x"}}}'),
    fc.constant(JSON.stringify({ run: aKnownRun({ id: "rec_9", knownAt: 0 }) }).replace(":0,", ":1e999,")),
    fc.nat(30_000).map((depth) => `{"run":${"[".repeat(depth)}`),
  );
  const file = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.boolean(), fc.nat(40))
    .map(([all, hasHeader, cut]) =>
      lines(...(hasHeader ? [header()] : []), ...all).slice(0, -cut || undefined),
    );

  test("never throw, never lose or change what was known of a run, and never reach a prototype", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 300 }), async (content, step) => {
        const one = await ofAda();
        const before = { runs: one.runs.list.get(), talks: one.conversations.list.get() };
        const report = await take(one, content, step);
        const reloaded = await browser(one.store);
        for (const where of [one, reloaded]) {
          for (const was of before.runs) {
            const { id, runId, inputs } = was;
            expect(where.runs.list.get()).toContainEqual(expect.objectContaining({ id, runId, inputs }));
          }
          for (const { id, interactionId } of before.talks) {
            const conversation = where.conversations.list.get().find((each) => each.id === id);
            expect(conversation).toMatchObject({
              interactionId,
              agentId: expect.any(String),
              asked: expect.anything(),
            });
          }
        }
        const runIds = one.runs.list.get().flatMap((run) => run.runId ?? []);
        expect(new Set(runIds).size).toBe(runIds.length);
        for (const { line: number } of report.problems) expect(number).toBeGreaterThan(0);
        expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("id");
        expect(({} as { run?: unknown }).run).toBeUndefined();
      }),
    );
  });
});
