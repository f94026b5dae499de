import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EndpointName, endpoints } from "../../contract/endpoints.ts";
import { neededRight, rightsOfRole, type TeamRole, teamRoles } from "../../contract/roles.ts";
import { addAgents, makeObject } from "./objects.ts";
import { operationNames, operations, type Question } from "./operations.ts";
import { principals } from "./people.ts";
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
      const heard = await world.ask(operation, "mate", question.asks(id, principals.mate, "team"));
      const isAllowed = heard.status < 300;
      const may = rightsOfRole[role].includes(needed);
      const isRefused = heard.status === 403 || heard.status === 404;
      if (may ? !isAllowed : !isRefused)
        wrong.push(`${operation} (${question.about ?? ""}): ${heard.status} ${heard.error}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("S-89: the table of roles is asked about often enough to mean something", () => {
  const cells = asked.length * teamRoles.length;
  const writes = new Set(asked.filter(({ needed }) => needed !== "see").map(({ operation }) => operation));
  expect(cells).toBeGreaterThan(200);
  expect(writes.size).toBeGreaterThan(15);
  // Every write about teams' things has a question here, but those of which a question says only that it is too late.
  const names: EndpointName[] = [...writes];
  expect(names).toEqual(
    expect.arrayContaining(["updateAgent", "startPipeline", "killPipeline", "approveSource"]),
  );
});
