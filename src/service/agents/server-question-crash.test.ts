import { afterAll, beforeAll, expect, it } from "vitest";
import { answering, questionsOf } from "../../testing/answering.ts";
import { type AskingServers, startAskingServers } from "../../testing/asking-servers.ts";
import { type Death, live, newTurn } from "../../testing/dying-turn.ts";

let servers: AskingServers;
let agent: string;
beforeAll(async () => {
  servers = await startAskingServers({ work: false });
  agent = await servers.agent();
});
afterAll(() => servers.stop());

/** @returns what became of it, what the server was asked, and how many writes there were */
async function lived(death: Death | null) {
  const { app, modern } = servers;
  const before = modern.calls.length;
  const execution = await newTurn(app, ["/pier__ask {}"], agent);
  const body = { answer: "approve", values: { berth: "North 7" } };
  const wake = answering(app, execution, body);
  const { outcome, writes } = await live(app, execution, { death, usesServers: true, wake });
  const { body: read } = await app.call("kim", "GET", `/sessions/${execution.subjectId}`);
  const calls = modern.calls.slice(before);
  const asked = (await questionsOf(app, execution)).map(({ state }) => state);
  return {
    there: { outcome: outcome.type, asked, said: JSON.stringify(read.session.messages[1].parts[0].result) },
    calls,
    writes,
  };
}

it("S-207: a turn that is cut off at any of its writes around a server's question asks once, under one key", async () => {
  const undisturbed = await lived(null);
  expect(undisturbed.there).toMatchObject({ outcome: "done", asked: ["approved"] });
  expect(undisturbed.there.said).toContain("North 7");
  expect(undisturbed.calls.map(({ state }) => state)).toEqual([undefined, "round 1"]);
  expect(undisturbed.writes).toBeGreaterThanOrEqual(4);
  for (let at = 1; at <= undisturbed.writes; at++) {
    for (const when of ["before", "after"] as const) {
      const { there, calls } = await lived({ at, when });
      expect([at, when, there]).toEqual([at, when, undisturbed.there]);
      // What was not recorded is asked of the server again, which can tell by the key; nobody is asked twice.
      expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
      expect(calls.length).toBeLessThanOrEqual(3);
    }
  }
});
