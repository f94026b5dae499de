import { expect, test } from "vitest";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";
import { Conversations } from "./conversations.ts";

const toStart = {
  id: "key_1",
  agentId: "agent_1",
  agentName: "Clerk",
  projectId: null,
  message: "Which  berths\nare free?",
};

test("a conversation is written down before its first message goes out, and completed after", async () => {
  const conversations = new Conversations(memoryStore(), "me", () => 5);
  await conversations.begin(toStart);
  expect(conversations.list.get()).toMatchObject([
    { id: "key_1", interactionId: null, start: "sending", name: "Which berths are free?", asked: { at: 5 } },
  ]);
  await conversations.started("key_1", "int_1");
  expect(conversations.find("int_1")).toMatchObject({ start: "started", provenance: "started-here" });
});

test("a start that a reload cut off is unclear afterwards, and other people's are not seen", async () => {
  const store = memoryStore();
  await new Conversations(store, "me").begin(toStart);
  const again = new Conversations(store, "me");
  await again.load();
  expect(again.list.get()).toMatchObject([{ id: "key_1", start: "unclear" }]);
  const other = new Conversations(store, "you");
  await other.load();
  expect(other.list.get()).toEqual([]);
});

test("what was asked, and what a read said, come together in one record", async () => {
  const conversations = new Conversations(memoryStore(), "me");
  await conversations.saw("int_9", {
    agentId: "agent_1",
    name: "Known",
    last: { state: "COMPLETED", createdTs: null },
  });
  await conversations.asked("int_9", "And now?");
  await conversations.saw("int_9", { name: null, last: { state: "FAILED", createdTs: null } });
  expect(conversations.list.get()).toMatchObject([
    { interactionId: "int_9", name: "Known", asked: { text: "And now?" }, last: { state: "FAILED" } },
  ]);
});
