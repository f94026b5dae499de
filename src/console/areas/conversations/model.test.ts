import fc from "fast-check";
import { expect, test } from "vitest";
import { errorWords, type MessageIn } from "./message-rows.ts";
import { createConversationModel } from "./model.ts";

const said = (id: string, content: string): MessageIn => ({
  id,
  role: "user",
  timestamp: null,
  content,
  parts: [],
});
const answered = (
  id: string,
  parts: NonNullable<MessageIn["parts"]>,
  content: string | null = null,
): MessageIn => ({
  id,
  role: "assistant",
  timestamp: null,
  content,
  parts,
});
const kinds = (messages: readonly MessageIn[]) =>
  createConversationModel()(messages).rows.map(({ body }) => body.kind);

test("an answer is read from its content, from its parts, and only once from both", () => {
  expect(kinds([answered("a", [], "Done.")])).toEqual(["text"]);
  expect(kinds([answered("a", [{ type: "text", text: "Done." }])])).toEqual(["text"]);
  expect(kinds([answered("a", [{ type: "text", text: "Done. " }], "Done.")])).toEqual(["text"]);
  expect(kinds([answered("a", [{ type: "text", text: "Wait" }], "Done.")])).toEqual(["text", "text"]);
});

test("parts and roles that nobody knows are rows of their own, as they came (C-02)", () => {
  const model = createConversationModel();
  const { rows } = model([
    { id: "n", role: "narrator", content: "Meanwhile" },
    answered("a", [{ type: "hologram", beams: 12 } as never]),
  ]);
  expect(rows[0]).toMatchObject({
    role: "other",
    rawRole: "narrator",
    body: { kind: "said", text: "Meanwhile" },
  });
  expect(rows[1]?.body).toMatchObject({ kind: "raw", type: "hologram", value: { beams: 12 } });
});

test("a call that had not come back when its turn was stopped did not fail, one that had failed before did", () => {
  const call = { type: "tool_invocation", toolName: "look", toolCallState: "failed" } as const;
  const stop = { type: "error", error: "Stopped by Ada.", code: "stopped" } as const;
  const { rows, errors } = createConversationModel()([
    answered("a", [
      { ...call, result: { args: {}, result: "No such place" } },
      { ...call, result: { args: {}, result: null } },
      stop,
    ]),
    answered("b", [{ ...call, result: { args: {}, result: null } }]),
  ]);
  expect(rows.map(({ body }) => (body.kind === "call" ? body.call.tone : body.kind))).toEqual([
    "failed",
    "stopped",
    "error",
    "failed",
  ]);
  expect(errors).toEqual([0, 3]);
});

test("how long a turn and a call took is in what came with them, and nothing is made up where nothing came", () => {
  const times = { started_at: "2026-11-20T08:00:00Z", finished_at: "2026-11-20T08:00:02Z" };
  const span = { start: times.started_at, end: times.finished_at };
  const call = { type: "tool_invocation", toolName: "look", toolCallState: "completed" } as const;
  const { rows } = createConversationModel()([
    { ...answered("a", [{ ...call, ...times }]), ...times },
    answered("b", [call]),
  ]);
  expect(rows[0]).toMatchObject({ span, body: { call: { span } } });
  expect(rows[1]).toMatchObject({
    span: { start: null, end: null },
    body: { call: { span: { start: null, end: null } } },
  });
});

test("a message with nothing in it, or without an id, is still there", () => {
  const { rows } = createConversationModel()([
    { role: "user" },
    null,
    { role: "assistant", parts: null },
  ] as never);
  expect(rows.map((row) => row.body.kind)).toEqual(["nothing", "nothing"]);
  expect(new Set(rows.map((row) => row.key)).size).toBe(2);
});

test("ids that come twice make different links (C-03)", () => {
  const { rows } = createConversationModel()([
    answered("a", [
      { type: "text", id: "p", text: "1" },
      { type: "text", id: "p", text: "2" },
    ]),
    answered("a", [{ type: "text", id: "p", text: "3" }]),
  ]);
  expect(new Set(rows.map((row) => row.key)).size).toBe(3);
});

test("the index has each question with its calls, and knows what failed", () => {
  const call = (toolName: string, toolCallState: "completed" | "failed") => ({
    type: "tool_invocation" as const,
    toolName,
    toolCallState,
    result: { args: {}, result: null },
  });
  const { turns, errors, calls, files } = createConversationModel()([
    said("1", "First\nquestion"),
    answered("2", [call("almanac__look", "completed"), call("write", "failed")]),
    said("3", "Second"),
    answered("4", [
      { type: "file", file: { filename: "a.md" } },
      { type: "error", error: "no" },
    ]),
  ]);
  expect(turns.map((turn) => [turn.number, turn.words, turn.calls.length])).toEqual([
    [1, "First question", 2],
    [2, "Second", 0],
  ]);
  expect(calls).toEqual([1, 2]);
  expect(errors).toEqual([2, 5]);
  expect(files).toEqual([{ row: 4, name: "a.md" }]);
});

test("a poll that brings one more message leaves all other rows the very same", () => {
  const model = createConversationModel();
  const first = said("1", "One");
  const second = answered("2", [{ type: "text", text: "Two" }]);
  const before = model([first, second]).rows;
  const after = model([first, second, said("3", "Three")]).rows;
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(after).toHaveLength(3);
});

test("an error says its own words, however they are packed", () => {
  expect(errorWords("no")).toBe("no");
  expect(errorWords({ error: "no", code: 4 })).toBe("no");
  expect(errorWords({ code: 4 })).toBeNull();
});

test("C-09 a very long conversation is made in steps, and is the same as one made at once", () => {
  const call = (name: string) => ({
    type: "tool_invocation" as const,
    toolName: name,
    toolCallState: "failed",
  });
  const talk = Array.from({ length: 400 }, (_, at) =>
    at % 3 === 0 ? said(`${at % 7}`, `Question ${at}`) : answered(`${at % 7}`, [call(`c${at}`) as never]),
  );
  const model = createConversationModel();
  let steps = 0;
  let made = null;
  for (; made === null; steps += 1) made = model(talk, () => true);
  expect(steps).toBeGreaterThan(2);
  expect(made).toEqual(createConversationModel()(talk));
});

test("whatever changes, grows or goes, a poll shows what a fresh page would, and keeps the rows before it", () => {
  const message = fc.record({
    id: fc.constantFrom("a", "b", ""),
    role: fc.constantFrom("user", "assistant"),
    content: fc.constantFrom("x", "y", null),
    parts: fc.array(
      fc.constantFrom(
        { type: "tool_invocation", toolName: "t", toolCallState: "failed" },
        { type: "file", file: { filename: "f" } },
        { type: "error", error: "no" },
      ),
      { maxLength: 2 },
    ),
  }) as fc.Arbitrary<MessageIn>;
  const poll = fc.record({ keep: fc.nat(6), more: fc.array(fc.option(message), { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(poll, { maxLength: 5 }), (polls) => {
      const model = createConversationModel();
      let messages: readonly (MessageIn | null)[] = [];
      for (const { keep, more } of polls) {
        const given = model(messages);
        const copy = structuredClone(given);
        messages = [...messages.slice(0, keep), ...more];
        expect(model(messages)).toEqual(createConversationModel()(messages));
        // What was given out before is what somebody still shows.
        expect(given).toEqual(copy);
      }
    }),
  );
});
