import { afterAll, beforeAll, expect, test } from "vitest";
import { addPeople, keyOf } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
let ann: string;
beforeAll(async () => {
  service = await startService({ empty: true, work: false });
  await addPeople(service.context.store);
  ann = await keyOf(service.context.store, { kind: "person", id: "user_ann" });
});
afterAll(() => service.stop());

test.each([
  ["spaces and line ends", " \n\t\u00a0"],
  ["zero-width characters", "\u200b\u200d\u2060\ufeff"],
  ["fillers", "\u3164\u2800\ufe0f"],
])("S-293: a message of %s alone is refused, naming the field", async (_, message) => {
  const start = await service.call(ann, "POST", "/start_agent", { gummie_id: "a", message, user_id: "b" });
  expect([start.status, await start.json()]).toEqual([
    400,
    { error: "invalid_body", message: "message must not be blank." },
  ]);
  const path = "/interactions/int_none/copy";
  const copy = await service.call(ann, "POST", path, { before_message_id: "m", message });
  expect([copy.status, JSON.stringify(await copy.json())]).toEqual([
    400,
    expect.stringContaining("message must not be blank."),
  ]);
});
