import { expect, test } from "vitest";
import { createLog } from "./log.ts";

/** What the log says of an error. */
function logged(err: unknown) {
  const lines: string[] = [];
  createLog({ write: (line) => lines.push(line) }).error({ err }, "It failed.");
  return JSON.parse(lines.join(""));
}

test("S-381: an error that came of itself is logged, its causes five deep at most", () => {
  const [first, second] = [new Error("first"), new Error("second")];
  first.cause = second;
  second.cause = first;
  const { err, msg } = logged(first);
  expect(msg).toBe("It failed.");
  expect(err).toMatchObject({ message: "first", cause: { message: "second", cause: { message: "first" } } });
  expect(err.cause.cause.cause.cause).toEqual(expect.not.objectContaining({ cause: expect.anything() }));
});

test("S-381: whatever was thrown is logged, with what caused it and nothing else of it", () => {
  const secret = Object.assign(new Error("inner", { cause: "a word" }), { code: "E1", row: "secret" });
  const { err } = logged(new Error("outer", { cause: secret }));
  expect(err).toMatchObject({ type: "Error", cause: { code: "E1", cause: { message: "a word" } } });
  expect(JSON.stringify(err)).not.toContain('secret"');
  expect(logged(undefined).msg).toBe("It failed.");
});
