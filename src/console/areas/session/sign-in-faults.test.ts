// @vitest-environment jsdom
import "../../api/jitless.ts";
import { beforeEach, expect, it } from "vitest";
import { listAgents } from "../../../contract/agents.ts";
import { getCapabilities } from "../../../contract/console.ts";
import type { Endpoint } from "../../../contract/define.ts";
import { listModels } from "../../../contract/models.ts";
import { listTeams } from "../../../contract/teams.ts";
import { examples } from "../../../testing/hostile/examples.ts";
import { eachFieldOf, type Fault, faultsOf } from "../../../testing/hostile/faults.ts";
import { anyJson } from "../../../testing/msw.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { testWheelhouse } from "../../../testing/test-wheelhouse.ts";
import type { SignInDraft } from "./sign-in.ts";

const service = mockServicePerTest();
const draft: SignInDraft = {
  connection: { name: "Wheelhouse", path: "/api/v1", kind: "own" },
  credential: { kind: "personal", secret: "a-key", userId: "user_ada", teamId: null },
  thisTabOnly: false,
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

const asked: readonly (readonly [string, Endpoint, readonly Fault[]])[] = [
  ["the models", listModels, faultsOf(examples["GET /models"])],
  ["the agents", listAgents, eachFieldOf(examples["GET /agents"])],
  ["the teams", listTeams, faultsOf(examples["GET /teams"])],
  ["what the service can do", getCapabilities, faultsOf(examples["GET /capabilities"])],
];

it.each(asked)("C-01 a sign-in goes on with any one field of %s broken", async (_, endpoint, faults) => {
  expect(faults.length).toBeGreaterThan(10);
  const wheelhouse = testWheelhouse();
  for (const { path, kind, body } of faults) {
    const say = `${path.join(".")}: ${kind}`;
    service().override(endpoint, () => anyJson(body) as never, { times: 2 });
    const signedIn = await wheelhouse.check(draft, { onChecks: () => {} });
    expect(signedIn, say).not.toBeNull();
    for (const team of signedIn?.teams ?? []) {
      expect([typeof team.id, typeof team.name], say).toEqual(["string", "string"]);
    }
    for (const name of signedIn?.known.named ?? []) expect(typeof name, say).toBe("string");
    service().override(endpoint, () => anyJson(body) as never, { times: 0 });
  }
});
