import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import { makeObject, type Relation } from "./objects.ts";
import { operationNames, operations, type Parts } from "./operations.ts";
import { type Column, principals } from "./people.ts";
import { addressOf, type RecordedAnswer, recordAnswer, startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const fields = ["user_id", "project_id", "team_id"] as const;
type Field = (typeof fields)[number];
type Place = "query" | "body";
type Claim = { readonly operation: EndpointName; readonly place: Place; readonly field: Field };

/** Every field of every operation that says for whom a request is, as the schemas have them. */
const claims: readonly Claim[] = operationNames.flatMap((operation) => {
  const { query, body } = endpoints[operation];
  const inBody = body !== null && "shape" in body ? Object.keys(body.shape) : [];
  // The body of start_pipeline is any object; public clients name the owner in it.
  const owner = operation === "startPipeline" ? ["user_id", "project_id"] : [];
  const places = { query: Object.keys(query?.shape ?? {}), body: [...inBody, ...owner] };
  return (["query", "body"] as const).flatMap((place) =>
    fields.filter((field) => places[place].includes(field)).map((field) => ({ operation, place, field })),
  );
});
const each = claims.map(
  (claim) => [`${claim.operation}, ${claim.field} in the ${claim.place}`, claim] as const,
);

/** A request that this credential may make, before anything about its claim is changed. */
async function goodParts(operation: EndpointName, column: Column, bare: boolean): Promise<Parts> {
  const question = operations[operation as keyof typeof operations][0];
  const relation: Relation = column === "team" || question.object === "team" ? "team" : "own";
  const wanted = relation in question.rows ? relation : "everyones";
  const id = await makeObject(world.context, question.object, wanted);
  const { query = {}, body = {}, ...rest } = question.asks(id, principals[column], wanted);
  const without = (part: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => !fields.some((field) => field === key)));
  return bare
    ? { ...rest, query: without(query) as Record<string, string>, body: without(body) }
    : { ...rest, query, body };
}

async function asks(claim: Claim, column: Column, value: unknown): Promise<RecordedAnswer> {
  const parts = await goodParts(claim.operation, column, true);
  const changed = { ...parts, [claim.place]: { ...parts[claim.place], [claim.field]: value } };
  return await world.ask(claim.operation, column, changed);
}

describe("S-23: a claim to be somebody else", () => {
  test("is found in every place where a request can make one", () => {
    expect(claims.length).toBeGreaterThan(25);
  });

  test.each(each)(
    "%s is refused, and does not tell whether that person or team is there",
    async (_, claim) => {
      const foreign = claim.field === "user_id" ? "user_cat" : "team_two";
      const nobody = claim.field === "user_id" ? "user_nobody" : "team_nobody";
      const before = await world.everything();
      for (const column of ["owner", "token", "team"] as const) {
        const heard = [await asks(claim, column, foreign), await asks(claim, column, nobody)];
        expect([heard[0]?.status, heard[0]?.error], column).toEqual([403, "forbidden"]);
        expect(heard[1], "S-38").toEqual(heard[0]);
      }
      const after = await world.everything();
      for (const table of ["credits", "artifact_grants", "idempotent_starts"]) {
        expect(after[table], table).toBe(before[table]);
      }
      // Each agent that the questions are about is made for them, with its first version.
      const known = new Set(before.agent_versions?.split("\n"));
      const versions = after.agent_versions?.split("\n").filter((line) => !known.has(line)) ?? [];
      expect(versions.filter((line) => !line.includes('"version": 1,'))).toEqual([]);
    },
  );
});

describe("S-24: a claim that is empty, double or of another shape", () => {
  test.each(each)("%s never counts for more than none", async (_, claim) => {
    const { operation, place, field } = claim;
    const own = field === "user_id" ? "user_ann" : "team_one";
    if (place === "body") {
      for (const value of [[own], { 0: own }, 7, true, ""]) {
        const heard = await asks(claim, "owner", value);
        expect(heard.status, JSON.stringify(value)).toBe(400);
      }
      return;
    }
    expect((await asks(claim, "owner", "")).status).toBe(400);
    const parts = await goodParts(operation, "owner", true);
    const address = addressOf(operation, parts);
    const call = async (more: string) => {
      const { method, body } = endpoints[operation];
      const to = `${address}${address.includes("?") ? "&" : "?"}${more}`;
      const sent = body === null ? undefined : (parts.body ?? {});
      return recordAnswer(
        await world.service.send(world.credentials.owner, method, to, sent, {
          "x-auth-key": "user_ann",
        }),
      );
    };
    for (const twice of [`${field}=${own}&${field}=${own}`, `${field}=${own}&${field}=someone_else`]) {
      expect((await call(twice)).status, twice).toBe(400);
    }
    const none = await call("");
    for (const other of [`${field}[]=${own}`, `${field}[0]=${own}`, `${field.toUpperCase()}=${own}`]) {
      expect((await call(other)).status, other).toBe(none.status);
    }
  });

  const demanding = ["startAgent", "agentStatus", "downloadFiles"] as const;
  const forPeople = ["startPipeline", "getRun", "killPipeline"] as const;
  test.each([...demanding, ...forPeople])("%s wants a claim of people", async (operation) => {
    const heard = await world.ask(operation, "owner", await goodParts(operation, "owner", true));
    expect([heard.status, heard.error]).toEqual([400, "project_id or user_id is required"]);
  });

  test("a team key that names nobody acts for its own team, and for no person", async () => {
    for (const operation of demanding) {
      expect((await world.ask(operation, "team", await goodParts(operation, "team", true))).status).toBe(400);
    }
    const started = await world.ask("startPipeline", "team", await goodParts("startPipeline", "team", true));
    const { run_id } = JSON.parse(started.text);
    const row = await world.context.store.db
      .selectFrom("executions")
      .select(["user_id", "team_id"])
      .where("id", "=", run_id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ user_id: null, team_id: "team_one" });
  });

  test("a claim in the body means nothing where the query makes one", async () => {
    const flow = await makeObject(world.context, "flow", "own");
    const body = { user_id: "user_cat", project_id: "team_two", saved_item_id: "another" };
    const query = { user_id: "user_ann", saved_item_id: flow };
    const heard = await world.ask("startPipeline", "owner", { query, body });
    expect(heard.status).toBe(200);
    const row = await world.context.store.db
      .selectFrom("executions")
      .select(["user_id", "team_id", "subject_id"])
      .where("id", "=", JSON.parse(heard.text).run_id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ user_id: "user_ann", team_id: null, subject_id: flow });
  });
});

describe("S-25: the same credential in another place", () => {
  test("api_key in the query decides like the header, for every credential and everybody's flows", async () => {
    const [question] = operations.startPipeline;
    for (const relation of ["own", "team", "theirs", "otherTeams", "absent"] as const) {
      for (const column of ["owner", "token", "mate", "outsider", "team", "otherTeam"] as const) {
        const id = await makeObject(world.context, "flow", relation);
        const parts = question.asks(id, principals[column], relation);
        const byHeader = await world.ask("startPipeline", column, parts);
        const query = { ...parts.query, api_key: world.credentials[column] ?? "" };
        const byQuery = await world.ask("startPipeline", "none", { ...parts, query });
        expect([byQuery.status, byQuery.error], `${relation} ${column}`).toEqual([
          byHeader.status,
          byHeader.error,
        ]);
      }
    }
    for (const credential of ["invalid", "revoked", "expired", "belowPlan"] as const) {
      const parts = question.asks("flow_that_is_not_there", principals.owner, "absent");
      const query = { ...parts.query, api_key: world.credentials[credential] ?? "" };
      const byQuery = await world.ask("startPipeline", "none", { ...parts, query });
      expect(byQuery).toEqual(await world.ask("startPipeline", credential, parts));
    }
  });
});

describe("S-22: ids of others inside a body", () => {
  const scope = { artifact_id: "" };
  const shared = async (id: string, body: Record<string, unknown>) => {
    return await world.ask("updateArtifactAccess", "owner", { params: { ...scope, artifact_id: id }, body });
  };

  test("one foreign id undoes a whole change of access, and says no more of a team than of none", async () => {
    const id = await makeObject(world.context, "artifact", "own");
    const good = [
      { type: "person", email: "ben@example.com", role: "editor" },
      { type: "organization", role: "viewer" },
    ];
    const before = await world.everything();
    const heard: RecordedAnswer[] = [];
    for (const team_id of ["team_two", "team_nobody"]) {
      heard.push(await shared(id, { share: [...good, { type: "team", team_id, role: "viewer" }] }));
    }
    expect(heard[0]?.status).toBe(403);
    expect(heard[1]).toEqual(heard[0]);
    expect(await world.everything()).toEqual(before);
  });

  test("one foreign id undoes a whole change of an agent", async () => {
    const flow = await makeObject(world.context, "flow", "own");
    const foreign = await makeObject(world.context, "flow", "theirs");
    const before = await world.everything();
    const tools = [flow, foreign].map((saved_item_id) => ({ type: "flow", saved_item_id }));
    const parts = { params: { agent_id: "agent_ann" }, body: { name: "Changed", tools } };
    const heard = await world.ask("updateAgent", "owner", parts);
    expect([heard.status, heard.error]).toEqual([404, "not_found"]);
    expect(await world.everything()).toEqual(before);
  });

  test("one's own run with a saved item of others has no files", async () => {
    const run_id = await makeObject(world.context, "run", "own");
    const saved_item_id = await makeObject(world.context, "flow", "theirs");
    const body = { run_id, saved_item_id, file_names: ["notes.md"], user_id: "user_ann" };
    expect((await world.ask("downloadFiles", "owner", { body })).status).toBe(404);
  });

  test("a resource of an agent is kept as it came, and nothing is looked up by it", async () => {
    const source = await makeObject(world.context, "source", "theirs");
    const body = { resources: [{ type: "brain_source", id: source, __proto__: null }] };
    const heard = await world.ask("updateAgent", "owner", { params: { agent_id: "agent_ann" }, body });
    expect(JSON.parse(heard.text).agent.resources).toEqual([{ type: "brain_source", id: source }]);
    expect(heard.text).not.toContain("Source");
  });
});

describe("S-38: who is there", () => {
  test("sharing with a person of the workspace and with a stranger looks the same", async () => {
    const answers = await Promise.all(
      // Cat is in the workspace, but no colleague of Ann's.
      ["cat@example.com", "xyz@example.com"].map(async (email) => {
        const artifact_id = await makeObject(world.context, "artifact", "own");
        const body = { share: [{ type: "person", email, role: "viewer" }] };
        const heard = await world.ask("updateArtifactAccess", "owner", { params: { artifact_id }, body });
        expect(heard.status).toBe(200);
        return heard.text.replaceAll(email, "someone@example.com");
      }),
    );
    expect(answers[1]).toBe(answers[0]);
  });

  test("a viewer sees how many have access, and no address and no team of theirs", async () => {
    const artifact_id = await makeObject(world.context, "artifact", "theirs");
    const share = [
      { type: "team", team_id: "team_two", role: "viewer" },
      { type: "person", email: "ann@example.com", role: "viewer" },
      { type: "person", email: "stranger@example.com", role: "editor" },
    ];
    const given = await world.ask("updateArtifactAccess", "outsider", {
      params: { artifact_id },
      body: { share },
    });
    expect(given.status).toBe(200);
    for (const operation of ["getArtifactAccess", "updateArtifactAccess"] as const) {
      const { status, text } = await world.ask(operation, "owner", { params: { artifact_id } });
      expect(status).toBe(200);
      expect(text).not.toMatch(/@|team_two|cat|stranger/);
      expect(JSON.parse(text).access).toMatchObject({
        grants_visibility: "limited",
        people: [],
        teams: [],
        hidden_by_role: { viewer: { people: 1, teams: 1 }, editor: { people: 1 }, owner: { people: 1 } },
      });
    }
  });
});
