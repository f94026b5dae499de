import { expect, test } from "vitest";
import { toJson } from "../store/json.ts";
import {
  byCaller,
  byCommand,
  entryOf,
  fromHere,
  readEntry,
  type StoredEntry,
  writtenEntry,
} from "./entry.ts";

const caller = { kind: "team", teamId: "team_one", credentialId: "key_1", memberIds: ["user_ann"] } as const;
const started = entryOf(byCaller(null), fromHere, {
  action: "run.start",
  object: { kind: "run", id: "run_1" },
});
const changed = entryOf(
  byCaller(caller),
  { address: "::1", user_agent: "curl", request_id: "req_1" },
  {
    action: "agent.update",
    object: { kind: "agent", id: "agent_1", name: "" },
    forUserId: "user_ann",
    changes: [{ field: "name", shown: true, before: null, after: "Scribe" }],
  },
);

test.each<[string, StoredEntry]>([
  ["that says little", started],
  ["that says much", changed],
  [
    "of a command",
    entryOf(byCommand(), fromHere, { action: "key.create", object: { kind: "key", id: null } }),
  ],
  ["that stands for many", { ...started, count: 17 }],
  [
    "of a program, for a person",
    { ...started, by: "person", user_id: "user_ann", program: { id: "prog_1", name: "Sync" } },
  ],
])("an entry %s is read as it was before it was written", (_, entry) => {
  expect(readEntry(toJson(writtenEntry(entry)))).toEqual(entry);
});

test("an entry takes no room for what it does not say", () => {
  expect(writtenEntry(started)).toEqual({
    ...{ action: "run.start", by: "unknown", object_kind: "run", object_id: "run_1" },
  });
});
