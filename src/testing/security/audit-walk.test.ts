import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import type { Answered, Handler } from "../../service/areas/handler.ts";
import type { StoredEntry } from "../../service/audit/entry.ts";
import { nothingChanged, type Recorded } from "../../service/audit/record.ts";
import { auditEntries } from "../audit.ts";
import { addAgents, makeObject, type Relation } from "./objects.ts";
import { operationNames, operations, type Question } from "./operations.ts";
import { type Column, columns, principals } from "./people.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => addAgents(world.context));

type Operation = (typeof operationNames)[number];

/** Questions that find everything as it is wanted, so that nothing changes, and one that is counted instead. */
const nothingToDo = new Set([
  "updateArtifactAccess, reading it by a change of nothing",
  "stopTurn",
  "restoreConversation",
  "runEvaluations",
  "disconnectMcp",
  // By a key: there is no session.
  "signOutConsole",
]);

/** What has left an entry in this file. */
const seen = new Set<string>();

const idsOf = (all: readonly StoredEntry[]) => all.flatMap(({ request_id }) => request_id ?? []);

const asked = operationNames
  .filter((operation) => endpoints[operation].kind === "write")
  .flatMap((operation) =>
    operations[operation].map((question) => ({
      operation,
      question,
      title: question.about ? `${operation}, ${question.about}` : operation,
    })),
  );

/** The first cell of each relation that is answered, and the first that is refused. */
function cellsOf(question: Question): [Relation, Column][] {
  return (Object.entries(question.rows) as [Relation, string][]).flatMap(([relation, row]) => {
    const words = row.split(" ");
    const first = [words.indexOf("ok"), words.findIndex((word) => word !== "ok")];
    return first.flatMap((index): [Relation, Column][] => {
      const column = columns[index];
      return column === undefined ? [] : [[relation, column]];
    });
  });
}

describe.each(asked.map((one) => [one.title, one] as const))(
  "S-120: %s",
  (title, { operation, question }) => {
    test("leaves one entry where it is done, and none where it is refused", async () => {
      const found: Record<string, number> = {};
      const expected: Record<string, number> = {};
      for (const [relation, column] of cellsOf(question)) {
        const id = await makeObject(world.context, question.object, relation);
        const before = new Set(idsOf(await auditEntries(world.context)));
        const parts = question.asks(id, principals[column], relation);
        const heard = await world.ask(operation, column, parts);
        const fresh = (await auditEntries(world.context)).filter(
          ({ request_id }) => request_id !== null && !before.has(request_id),
        );
        const cell = `${relation} ${column} ${heard.status}`;
        found[cell] = fresh.length;
        expected[cell] = heard.status < 300 && !nothingToDo.has(title) ? 1 : 0;
        if (fresh.length === 1) seen.add(operation);
        const { teamId, userId } = principals[column];
        for (const entry of fresh) {
          expect(entry.user_id, cell).toBe(userId);
          expect(entry.by_team_id, cell).toBe(teamId);
          expect(entry.credential_id, cell).toMatch(/^(key|tok)_/);
          expect(entry.address, cell).toBe("127.0.0.1");
        }
      }
      expect(found).toEqual(expected);
    });
  },
);

/** What admins do, and what the questions have no success for: in order, each of what those before have made. */
describe("S-120: by an admin", () => {
  let secret = "";
  const made: Record<string, string> = {};
  beforeAll(async () => {
    await world.context.store.db
      .updateTable("users")
      .set({ role: "admin" })
      .where("id", "=", "user_ann")
      .execute();
    secret = world.credentials.owner ?? "";
    made.artifact = await makeObject(world.context, "artifact", "own");
    made.source = await makeObject(world.context, "source", "own");
    made.conversation = await makeObject(world.context, "interaction", "own");
    made.run = await makeObject(world.context, "run", "own");
    made.session = await makeObject(world.context, "session", "own");
  });

  type Act = readonly [Operation, path: () => string, body: () => unknown, entries: number];
  const nothing = () => undefined;
  /** What is sent, and of how many entries it is worth: one, where it does not say. */
  const given: readonly (readonly [Operation, Act[1], Act[2]?, Act[3]?])[] = [
    [
      "invitePerson",
      () => "/admin/people",
      () => ({ email: "new@example.com", first_name: "New", last_name: "One" }),
    ],
    ["updatePerson", () => `/admin/people/${made.invitePerson}`, () => ({ role: "admin" })],
    ["updatePerson", () => `/admin/people/${made.invitePerson}`, () => ({ role: "admin" }), 0],
    ["renewInvitation", () => `/admin/people/${made.invitePerson}/invitation`],
    ["createTeam", () => "/admin/teams", () => ({ name: "New" })],
    ["updateTeam", () => `/admin/teams/${made.createTeam}`, () => ({ name: "Renamed" })],
    ["updateTeam", () => `/admin/teams/${made.createTeam}`, () => ({ name: "Renamed" }), 0],
    ["setTeamMember", () => `/admin/teams/${made.createTeam}/members/user_ben`, () => ({ role: "viewer" })],
    [
      "setTeamMember",
      () => `/admin/teams/${made.createTeam}/members/user_ben`,
      () => ({ role: "viewer" }),
      0,
    ],
    ["removeTeamMember", () => `/admin/teams/${made.createTeam}/members/user_ben`],
    ["removeTeamMember", () => `/admin/teams/${made.createTeam}/members/user_ben`, nothing, 0],
    ["createAgent", () => "/agents", () => ({ name: "New" })],
    ["createKey", () => "/admin/keys", () => ({ name: "Nightly", team_id: made.createTeam })],
    ["revokeKey", () => `/admin/keys/${made.createKey}`],
    ["endConsoleSession", () => `/console/sessions/${made.session}`],
    ["endConsoleSessions", () => "/console/sessions?user_id=user_cat", nothing, 0],
    [
      "registerProgram",
      () => "/admin/programs",
      () => ({ name: "New", redirect_uris: ["https://app.example.com/callback"], confidential: true }),
    ],
    ["removeProgram", () => `/admin/programs/${made.registerProgram}`],
    ["deleteArtifact", () => `/artifacts/${made.artifact}`],
    ["restoreArtifact", () => `/artifacts/${made.artifact}/restore`],
    ["deleteSource", () => `/brain/sources/${made.source}`],
    ["restoreSource", () => `/brain/sources/${made.source}/restore`],
    ["deleteConversation", () => `/interactions/${made.conversation}`],
    ["restoreConversation", () => `/interactions/${made.conversation}/restore`],
    ["restoreConversation", () => `/interactions/${made.conversation}/restore`, nothing, 0],
    ["keepRun", () => `/runs/${made.run}/keep`, () => ({ kept: true })],
    ["keepRun", () => `/runs/${made.run}/keep`, () => ({ kept: true }), 0],
    ["killPipeline", () => "/kill_pipeline", () => ({ run_id: made.run, user_id: "user_ann" })],
    ["killPipeline", () => "/kill_pipeline", () => ({ run_id: made.run, user_id: "user_ann" }), 0],
    ["handOver", () => "/admin/people/user_ann/hand-over", () => ({ to: "user_ben" })],
  ];
  const acts = given.map(
    ([operation, path, body = nothing, count = 1]): Act => [operation, path, body, count],
  );

  test.each(acts)("%s is one entry, and none where nothing changes", async (operation, path, body, count) => {
    const before = new Set(idsOf(await auditEntries(world.context)));
    const response = await world.service.call(secret, endpoints[operation].method, path(), body(), {
      "x-auth-key": "user_ann",
    });
    const text = await response.text();
    expect(response.status, text).toBeLessThan(300);
    const fresh = (await auditEntries(world.context)).filter(
      ({ request_id }) => request_id !== null && !before.has(request_id),
    );
    expect(fresh.map(({ user_id, object_id }) => [user_id, object_id])).toHaveLength(count);
    if (count === 1) seen.add(operation);
    const answer = text === "" ? {} : JSON.parse(text);
    const { id } = answer.person ?? answer.team ?? answer.key ?? answer.program ?? {};
    if (id !== undefined && count === 1) made[operation] ??= id;
    // No secret of an answer is in what was recorded of it.
    const said = JSON.stringify(fresh);
    for (const kept of [answer.secret, answer.invitation?.url.split("=").at(-1)])
      if (kept !== undefined) expect(said).not.toContain(kept);
  });
});

/** Shown beside what they do, which takes more than a request. */
const elsewhere: Partial<Record<Operation, string>> = {
  createConsoleSession: "src/service/areas/audit.test.ts",
  signOutConsole: "src/service/areas/audit.test.ts",
  answerInboxItem: "src/service/agents/approvals/approved-servers.test.ts",
  stopTurn: "src/service/areas/stop-turn.test.ts",
  runEvaluations: "src/service/evaluations/evaluation.test.ts",
  copyConversation: "src/service/areas/copy-conversation.test.ts",
  runAgain: "src/service/areas/run-again-start.test.ts",
  startMcpSignIn: "src/service/mcp/sign-in.test.ts",
  disconnectMcp: "src/service/mcp/sign-in.test.ts",
  approveMcpTools: "src/service/agents/approvals/approved-servers.test.ts",
};

type All = typeof endpoints;
/** The writes that could answer without the proof that they have recorded what they did. */
type Unrecorded = {
  [K in keyof All]: All[K]["kind"] extends "write"
    ? Answered<All[K]> extends { readonly recorded: Recorded }
      ? never
      : K
    : never;
}[keyof All];
/** Compiles only where there are none. */
const isProved: [Unrecorded] extends [never] ? true : false = true;

type RevokeKey = Handler<All["revokeKey"]>;
const recorded: RevokeKey = async () => ({ type: "none", recorded: nothingChanged() });
// @ts-expect-error: the same without the proof is no handler of a write,
const unrecorded: RevokeKey = async () => ({ type: "none" });
// @ts-expect-error: and what looks like a proof is none: only `src/service/audit/record.ts` makes one.
const forged: Recorded = { entries: 1 };

test("S-120: a write that answers without its record does not compile", () => {
  expect(isProved).toBe(true);
  // That these lines are errors is what the compiler says; here they are only used.
  expect([recorded, unrecorded, forged]).toHaveLength(3);
});

test("S-120: every write of the table was seen to leave its entry", () => {
  const writes = operationNames.filter((operation) => endpoints[operation].kind === "write");
  expect(writes.filter((operation) => !seen.has(operation)).sort()).toEqual(Object.keys(elsewhere).sort());
});
