import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rightsOver } from "../../contract/admin.ts";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import {
  neededRight,
  rightsOfRole,
  type TeamRight,
  type TeamRole,
  teamRights,
  teamRoles,
} from "../../contract/roles.ts";
import { addAgents, makeObject, type ObjectKind, type Relation } from "./objects.ts";
import { operationNames, operations, type Parts, type Question } from "./operations.ts";
import { columns, principals } from "./people.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => addAgents(world.context));

/** Questions about what is a team's, which a member asks: Ben, who has nothing to do with it but his role. */
const asked = operationNames.flatMap((operation) => {
  const needed = neededRight(endpoints[operation]);
  if (needed !== "see" && needed !== "operate" && needed !== "edit") return [];
  return operations[operation].flatMap((question: Question) => {
    const word = question.rows.team?.split(" ")[2];
    return word === "ok" && question.codes?.ok === undefined ? [{ operation, question, needed }] : [];
  });
});

async function as(role: TeamRole): Promise<void> {
  await world.context.store.db
    .updateTable("team_members")
    .set({ role })
    .where("team_id", "=", "team_one")
    .where("user_id", "=", "user_ben")
    .execute();
}

describe.each(teamRoles)("S-89: a %s", (role) => {
  beforeAll(() => as(role));

  test("may do what the table of roles says of what is a team's, and nothing else", async () => {
    const wrong: string[] = [];
    for (const { operation, question, needed } of asked) {
      const id = await makeObject(world.context, question.object, "team");
      await addAgents(world.context);
      const explained = await explainedAs(question, needed, id);
      const heard = await world.ask(operation, "mate", question.asks(id, principals.mate, "team"));
      const isAllowed = heard.status < 300;
      const may = rightsOfRole[role].includes(needed);
      const isRefused = heard.status === 403 || heard.status === 404;
      if (may ? !isAllowed : !isRefused)
        wrong.push(`${operation} (${question.about ?? ""}): ${heard.status} ${heard.error}`);
      if (explained !== null && explained !== isAllowed)
        wrong.push(`${operation} (${question.about ?? ""}): explained as ${explained}`);
    }
    expect(wrong).toEqual([]);
  });

  test("S-185: hears of runs, conversations and artifacts what the endpoints do, whoever began them", async () => {
    const found: Record<string, unknown> = {};
    const tried: Record<string, unknown> = {};
    // The role is Ben's: of what has nothing to do with it, and of others, it is asked once.
    const isFirst = role === "viewer";
    const ofTeam = ["team", "begun", "granted", "lent"] as const;
    for (const relation of isFirst ? ([...ofTeam, "own", "theirs", "otherTeams"] as const) : ofTeam) {
      for (const [object, kind, attempts] of attemptsOf) {
        if ((relation === "granted" || relation === "lent") && object !== "artifact") continue;
        for (const [right, operation, parts] of attempts) {
          const made = relation === "begun" ? "team" : relation === "lent" ? "granted" : relation;
          const id = await makeObject(world.context, kind, made);
          if (relation === "begun") await begunByBen(object, id);
          if (relation === "lent") {
            await madeEditors(id);
            const { access } = JSON.parse(
              (await world.ask("getArtifactAccess", "mate", { params: { artifact_id: id } })).text,
            );
            expect(access.grants_visibility).toBe(isFirst ? "limited" : "full");
          }
          for (const asker of isFirst ? askers : (["mate"] as const)) {
            const cell = `${relation} ${object} ${asker} ${right}`;
            found[cell] = await explainedTo(asker, object, id, right);
            tried[cell] = (await world.ask(operation, asker, parts(id, asker))).status < 300;
          }
        }
      }
    }
    expect(found).toEqual(tried);
    expect(Object.values(tried)).toEqual(expect.arrayContaining([true, false]));
  });

  test("S-159: hears of sources, rubrics, MCP servers and keys what the endpoints do, also of what is everyone's", async () => {
    const found: Record<string, unknown> = {};
    const tried: Record<string, unknown> = {};
    const isFirst = role === "viewer";
    const ofTeam = ["team"] as const;
    for (const relation of isFirst
      ? ([...ofTeam, "own", "theirs", "otherTeams", "everyones"] as const)
      : ofTeam) {
      for (const [object, kind, attempts, but] of placesOf) {
        if (but.some((one) => one === relation)) continue;
        for (const [right, operation, parts] of attempts) {
          for (const asker of isFirst ? askers : (["mate"] as const)) {
            const id = await makeObject(world.context, kind, relation);
            const cell = `${relation} ${object} ${asker} ${right}`;
            found[cell] = await explainedTo(asker, object, id, right);
            tried[cell] = (await world.ask(operation, asker, parts(id, asker))).status < 300;
          }
        }
      }
      const server = relation === "everyones" ? "open" : relation === "team" ? "ones" : null;
      if (server === null) continue;
      for (const [right, operation, parts] of throughTeam) {
        const cell = `${relation} server through the team ${right}`;
        found[cell] = await explainedTo("mate", "mcp_server", server, right, "team_one");
        tried[cell] = (await world.ask(operation, "mate", parts(server))).status < 300;
      }
    }
    expect(found).toEqual(tried);
    expect(Object.values(tried)).toContain(true);
    if (isFirst) expect(Object.values(tried)).toContain(false);
  });
});

test("S-159: speaks of a kind of those rights alone that an endpoint about it takes", () => {
  const kinds = [...Object.entries(explainable), ["server", "mcp_server"], ["key", "key"]] as const;
  const takenBy = kinds.map(([kind, object]) => {
    const taken = operationNames.flatMap((operation) => {
      const questions: readonly Question[] = operations[operation];
      // What is only named in a request about something else takes what that takes.
      const isAbout = questions.some((one) => one.object === kind && one.about === undefined);
      return isAbout ? neededRight(endpoints[operation]) : [];
    });
    return [object, teamRights.filter((right) => taken.includes(right))];
  });
  const { artifact: _, team: __, ...rest } = rightsOver;
  expect(Object.fromEntries(takenBy)).toEqual(rest);
});

/** As if Ben had begun it for his team. */
async function begunByBen(object: string, id: string): Promise<void> {
  const table = object === "run" ? "executions" : object === "artifact" ? "artifacts" : "interactions";
  await world.context.store.db.updateTable(table).set({ user_id: "user_ben" }).where("id", "=", id).execute();
}

/** Ben's team may change who opens the artifact. */
async function madeEditors(id: string): Promise<void> {
  const { db } = world.context.store;
  await db.updateTable("artifact_grants").set({ role: "editor" }).where("artifact_id", "=", id).execute();
}

/** Kinds of questions by what the explanation calls them. Of an artifact the rights have names of their own. */
const explainable = {
  ...{ agent: "agent", flow: "flow", run: "run", interaction: "conversation" },
  ...{ source: "source", evaluation: "evaluation" },
} as const;

/** What the explanation says of the question to Ben; null where it is about something that is not explained. */
async function explainedAs(question: Question, right: TeamRight, id: string): Promise<boolean | null> {
  const kind = Object.entries(explainable).find(([object]) => object === question.object)?.[1];
  return kind === undefined ? null : await explainedTo("mate", kind, id, right);
}

const askers = ["owner", "mate", "outsider"] as const;
type Asker = (typeof askers)[number];

async function explainedTo(
  asker: Asker,
  object: string,
  id: string,
  right: string,
  through: string | null = null,
) {
  const heard = await world.ask("explainPermissions", asker, {
    params: { user_id: principals[asker].userId ?? "" },
    query: { object, object_id: id },
  });
  if (heard.status === 404) return false;
  type Answer = { right: string; allowed: boolean; team_id: string | null };
  const { answers }: { answers: readonly Answer[] } = JSON.parse(heard.text);
  const isMeant = ({ team_id }: Answer) => object !== "mcp_server" || team_id === through;
  return answers.find((answer) => answer.right === right && isMeant(answer))?.allowed ?? null;
}

type Attempt = readonly [
  right: string,
  operation: keyof typeof operations,
  parts: (id: string, asker: Asker) => Parts,
];

/** What each kind can be tried with, by the right that it takes. */
const attemptsOf: readonly (readonly [object: string, kind: ObjectKind, attempts: readonly Attempt[]])[] = [
  [
    "run",
    "run",
    [
      ["see", "getRunDetails", (id) => ({ params: { run_id: id } })],
      [
        "operate",
        "killPipeline",
        (id, asker) => ({ body: { run_id: id, user_id: principals[asker].userId } }),
      ],
    ],
  ],
  [
    "conversation",
    "interaction",
    [
      ["see", "getSession", (id) => ({ params: { session_id: id } })],
      ["operate", "deleteConversation", (id) => ({ params: { interaction_id: id } })],
    ],
  ],
  [
    "artifact",
    "artifact",
    [
      ["see", "getArtifactDownload", (id) => ({ params: { artifact_id: id } })],
      [
        "share",
        "updateArtifactAccess",
        (id) => ({ params: { artifact_id: id }, body: { link: { mode: "anyone" } } }),
      ],
      ["delete", "deleteArtifact", (id) => ({ params: { artifact_id: id } })],
    ],
  ],
];

/** The same of what is asked about in each of its relations but some. */
const placesOf: readonly (readonly [...(typeof attemptsOf)[number], but: readonly Relation[]])[] = [
  [
    "source",
    "source",
    [
      ["see", "getSource", (id) => ({ params: { source_id: id } })],
      ["edit", "deleteSource", (id) => ({ params: { source_id: id } })],
    ],
    [],
  ],
  [
    "evaluation",
    "evaluation",
    [
      ["see", "getEvaluation", (id) => ({ params: { evaluation_id: id } })],
      ["edit", "deleteEvaluation", (id) => ({ params: { evaluation_id: id } })],
    ],
    ["everyones"],
  ],
  [
    "mcp_server",
    "server",
    [
      ["see", "getMcpServer", (id) => ({ params: { server_id: id } })],
      [
        "operate",
        "callMcpTool",
        (id) => ({ params: { server_id: id, tool: "echo" }, body: { arguments: { text: "hi" } } }),
      ],
      ["edit", "disconnectMcp", (id) => ({ body: { server_id: id } })],
    ],
    ["own", "theirs"],
  ],
  ["key", "key", [["manage", "revokeKey", (id) => ({ params: { key_id: id } })]], ["everyones"]],
];

/** What is tried through the connection of the team. */
const throughTeam = [
  [
    "operate",
    "callMcpTool",
    (server_id: string): Parts => ({
      params: { server_id, tool: "echo" },
      query: { team_id: "team_one" },
      body: { arguments: { text: "hi" } },
    }),
  ],
  ["edit", "disconnectMcp", (server_id: string): Parts => ({ body: { server_id, team_id: "team_one" } })],
] as const;

test("S-89: the table of roles is asked about often enough to mean something", () => {
  const cells = asked.length * teamRoles.length;
  const ofCredentials = operationNames
    .flatMap((operation): readonly Question[] => operations[operation])
    .reduce((sum, { rows }) => sum + Object.keys(rows).length * columns.length, 0);
  const document = readFileSync(new URL("../../../docs/administration.md", import.meta.url), "utf8");
  const said = /more than ([\d,]+) cells by credential and ([\d,]+) by role/.exec(document)?.slice(1) ?? [];
  const [least = 0, leastOfRoles = 0] = said.map((text) => Number(text.replace(",", "")));
  // As it is said, and not much more: a table that has grown is to be said so.
  for (const [counted, told] of [
    [ofCredentials, least],
    [cells, leastOfRoles],
  ] as const) {
    expect(counted).toBeGreaterThan(told);
    expect(counted).toBeLessThan(told * 1.25);
  }
  const writes = new Set(asked.filter(({ needed }) => needed !== "see").map(({ operation }) => operation));
  expect(cells).toBeGreaterThan(200);
  expect(writes.size).toBeGreaterThan(15);
  // Every write about teams' things has a question here, but those of which a question says only that it is too late.
  const names: EndpointName[] = [...writes];
  expect(names).toEqual(
    expect.arrayContaining(["updateAgent", "startPipeline", "killPipeline", "approveSource"]),
  );
});
