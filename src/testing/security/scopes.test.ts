import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { neededScope, type Scope, scopes } from "../../contract/scopes.ts";
import { issueTokens, makeConnection } from "../../service/oauth/connections.ts";
import { addAgents, makeObject } from "./objects.ts";
import { operationNames, operations, type Question } from "./operations.ts";
import { principals } from "./people.ts";
import { addressOf, recordAnswer, startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => addAgents(world.context));

/** An access token of a program that Ann let in with these scopes. */
async function programToken(granted: readonly Scope[]): Promise<string> {
  const { store, ids } = world.context;
  const program_id = await makeObject(world.context, "program", "own");
  const program = { name: "Of the matrix" };
  return await store.db.transaction().execute(async (tx) => {
    const asked = { program_id, redirect_uri: "https://app.example.com/callback", challenge: "x" };
    const { id } = await makeConnection(tx, ids, "user_ann", { ...asked, scopes: granted });
    const connection = { id, user_id: "user_ann" };
    const from = { address: null, userAgent: null };
    return (await issueTokens(tx, ids, connection, program, granted, from)).accessToken;
  });
}

/** The first question of each operation about what is Ann's own or her team's, that a person is answered well. */
const asked = operationNames.flatMap((operation) => {
  if (endpoints[operation].auth === "none") return [];
  return operations[operation].slice(0, 1).map((question: Question) => ({ operation, question }));
});

const answered = ({ question: { rows } }: (typeof asked)[number]) =>
  (["own", "team", "everyones", "absent"] as const).find((relation) => rows[relation] !== undefined);

test.each([["read"], ["run"], ["write"], [...scopes]].map((granted) => [granted as Scope[]]))(
  "S-171: a program with the scopes %j is answered by what they name, and refused by all else",
  async (granted) => {
    const token = await programToken(granted);
    const wrong: string[] = [];
    let cells = 0;
    for (const one of asked) {
      const { operation, question } = one;
      const relation = answered(one);
      if (relation === undefined) continue;
      const id = await makeObject(world.context, question.object, relation);
      await addAgents(world.context);
      const parts = question.asks(id, principals.token, relation);
      const { method, body } = endpoints[operation];
      const heard = await recordAnswer(
        await world.service.send(
          token,
          method,
          addressOf(operation, parts),
          body === null ? undefined : (parts.body ?? {}),
          parts.headers,
        ),
      );
      const scope = neededScope(endpoints[operation]);
      const may = scope !== null && granted.includes(scope);
      const isRefused = heard.status === 403 && heard.text.includes("program");
      cells += 1;
      if (may === isRefused) wrong.push(`${operation}: ${heard.status} ${heard.error}`);
    }
    expect(wrong).toEqual([]);
    expect(cells).toBeGreaterThan(70);
  },
);
