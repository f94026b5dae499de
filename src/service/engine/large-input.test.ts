import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import type { Kind } from "./kind.ts";
import { isLarge } from "./large-input.ts";

const tests = engineTests();
const text = "x".repeat(8_000_000);

/** Executions of it say how long their text is, once they may. */
function measuringKind(isSpeculative = false) {
  const atWork = new Set<string>();
  const begun: string[] = [];
  const seen = { most: 0 };
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const measure: Kind = {
    isSpeculative,
    async advance({ id, input }, { signal }) {
      const { text } = input as { text: string };
      begun.push(id);
      atWork.add(id);
      seen.most = Math.max(seen.most, atWork.size);
      try {
        if (text.length > 10)
          await Promise.race([opened, new Promise((_, no) => signal.addEventListener("abort", no))]);
        signal.throwIfAborted();
        return { type: "done", result: text.length };
      } finally {
        atWork.delete(id);
      }
    },
  };
  return { kinds: { measure }, atWork, begun, seen, open };
}

const measured = (id: string, given: string, userId = "user_ada") => ({
  ...startOf(id, []),
  userId,
  kind: "measure",
  input: { text: given },
});

test("S-234: of large inputs no more are worked on at a time than there is room for, and each comes to its end", async () => {
  const { kinds, atWork, seen, open } = measuringKind();
  const engine = await tests.working(kinds, 12);
  const ids = ["one", "two", "three", "four", "five"];
  for (const id of ids) await engine.launch(measured(id, text));
  await until("all are claimed", async () => (await running()) === ids.length);
  await engine.launch(measured("small", "short"));
  expect(await ended(tests.fresh.store, "small")).toMatchObject({ state: "done", result: 5 });
  expect(atWork.size).toBe(2);
  open();
  for (const id of ids)
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: 8_000_000 });
  expect(seen.most).toBeLessThanOrEqual(3);
});

test("S-272: one person's large inputs that are worked on for long hold up no large input of another", async () => {
  const { kinds, atWork, open } = measuringKind();
  const engine = await tests.working(kinds, 12);
  const ids = ["ada1", "ada2", "ada3", "ada4"];
  for (const id of ids) await engine.launch(measured(id, text));
  await until("all are claimed", async () => (await running()) === ids.length);
  await until("two have room", () => atWork.size === 2);
  await engine.launch(measured("grace", text, "user_grace"));
  await until("the other one is at work", () => atWork.has("grace"));
  expect(atWork.size).toBe(3);
  open();
  for (const id of [...ids, "grace"]) await ended(tests.fresh.store, id);
});

test("S-234: what is killed while it waits for room never begins, and those behind it go on", async () => {
  const { kinds, begun, open } = measuringKind();
  const engine = await tests.working(kinds, 12);
  const ids = ["six", "seven", "eight", "nine"];
  for (const id of ids) await engine.launch(measured(id, text));
  await until("all are claimed", async () => (await running()) === ids.length);
  await engine.kill("eight");
  expect(await ended(tests.fresh.store, "eight")).toMatchObject({ state: "terminated" });
  open();
  for (const id of ["six", "seven", "nine"])
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: 8_000_000 });
  expect(begun).not.toContain("eight");
});

test("S-234: what is killed while it waits for room gives its place at once to what needs none", async () => {
  const { kinds, atWork, open } = measuringKind();
  const engine = await tests.working(kinds, 4);
  const ids = ["ten", "eleven", "twelve", "thirteen"];
  for (const id of ids) await engine.launch(measured(id, text));
  await until("all places are taken", async () => (await running()) === ids.length);
  await engine.launch(measured("little", "short"));
  await engine.kill("thirteen");
  expect(await ended(tests.fresh.store, "little")).toMatchObject({ state: "done", result: 5 });
  expect(atWork.size).toBe(2);
  open();
  for (const id of ids.slice(0, 3)) await ended(tests.fresh.store, id);
});

test("S-234: a large input waits for room also where what was about the same ended at once", async () => {
  const { kinds, atWork, seen, open } = measuringKind(true);
  const engine = await tests.working(kinds, 12);
  await engine.launch(measured("first", "short"));
  await ended(tests.fresh.store, "first");
  const ids = ["large1", "large2", "large3", "large4"];
  for (const id of ids) await engine.launch(measured(id, text));
  await until("all are claimed", async () => (await running()) === ids.length);
  expect(atWork.size).toBe(2);
  open();
  for (const id of ids)
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: 8_000_000 });
  expect(seen.most).toBeLessThanOrEqual(3);
});

async function running(): Promise<number> {
  const { rows } = await tests.fresh.store.pool.query<{ n: number }>(
    "select count(*)::integer as n from executions where state = 'running'",
  );
  return rows[0]?.n ?? 0;
}

test("an input is large by its texts, keys and values, wherever they are", () => {
  expect(isLarge({ rows: [{ name: "x".repeat(400_000) }, { name: "x".repeat(400_000) }] })).toBe(false);
  expect(isLarge({ rows: [{ name: "x".repeat(600_000) }, { name: "x".repeat(600_000) }] })).toBe(true);
  expect(isLarge(Array.from({ length: 150_000 }, (_, at) => at))).toBe(true);
  expect(isLarge({ ["k".repeat(1_100_000)]: null })).toBe(true);
});
