// @vitest-environment jsdom
import "../../api/jitless.ts";
import { expect, test } from "vitest";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";
import { Conversations } from "./conversations.ts";
import { History } from "./history.ts";

const start = { savedItemId: "flow_hello", savedItemName: "Say hello", projectId: null, inputs: {} };
const message = {
  id: "key_1",
  agentId: "agent_clerk",
  agentName: "Clerk",
  projectId: null,
  message: "Hello",
};

test("C-29: a run that was begun in one tab and opened in another, loaded before, is known once: as begun here", async () => {
  const store = memoryStore();
  const [one, other] = [new History(store, "ada"), new History(store, "ada")];
  await Promise.all([one.load(), other.load()]);
  const { id } = await one.begin(start);
  await one.started(id, "run_1");
  await other.saw("run_1", { last: { state: "RUNNING", createdTs: null, finishedTs: null } });
  await other.saw("run_2", {});
  const later = new History(store, "ada");
  await later.load();
  expect(later.runs.get().map(({ runId, provenance }) => [runId, provenance])).toEqual(
    expect.arrayContaining([
      ["run_1", "started-here"],
      ["run_2", "opened"],
    ]),
  );
  expect(later.runs.get()).toHaveLength(2);
  // Also for good: forgotten once, it does not come back.
  await later.forget(id);
  expect((await store.read("")).map(([, kept]) => kept)).toEqual([
    expect.objectContaining({ runId: "run_2" }),
  ]);
});

test("C-29: so is a conversation", async () => {
  const store = memoryStore();
  const [one, other] = [new Conversations(store, "ada"), new Conversations(store, "ada")];
  await Promise.all([one.load(), other.load()]);
  await one.begin(message);
  await one.started("key_1", "int_1");
  await other.saw("int_1", { name: "Hello" });
  const later = new Conversations(store, "ada");
  await later.load();
  expect(later.list.get().map(({ id, provenance }) => [id, provenance])).toEqual([["key_1", "started-here"]]);
});

test.each([true, false])(
  "C-29: that it is watched by hand (%s) in the tab that met it stays known",
  async (watched) => {
    const store = memoryStore();
    const [one, other] = [new History(store, "ada"), new History(store, "ada")];
    await Promise.all([one.load(), other.load()]);
    const { id } = await one.begin(start);
    await one.started(id, "run_1");
    await other.watch("run_1", watched);
    for (const _ of ["once", "again"]) {
      const later = new History(store, "ada");
      await later.load();
      expect(later.runs.get()).toEqual([
        expect.objectContaining({ id, provenance: "started-here", watched }),
      ]);
    }
  },
);

test("where nothing is kept, nobody hears of it, so that no page is drawn again for it", async () => {
  const known = new History(memoryStore(), "ada");
  let heard = 0;
  known.runs.subscribe(() => {
    heard += 1;
  });
  await known.load();
  expect(heard).toBe(0);
  await known.saw("run_1", {});
  expect(heard).toBe(1);
});
