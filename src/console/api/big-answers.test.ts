// @vitest-environment jsdom
import "./jitless.ts";
import { expect, it } from "vitest";
import { getSession } from "../../contract/sessions.ts";
import { aQuestion, aSession } from "../../testing/conversations.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { signedInWheelhouse, testWorkers, workerEnds } from "../../testing/test-wheelhouse.ts";
import { interactionQueries } from "../areas/conversations/queries.ts";
import { call } from "./client.ts";

const service = mockServicePerTest();
const long = (count: number) =>
  Array.from({ length: count }, (_, at) => aQuestion(`${at} ${"word ".repeat(200)}`));

/** Somebody signed in, and how often a worker was started. */
function signedIn() {
  const started: unknown[] = [];
  const bodies = () => {
    const port = workerEnds.bodies();
    started.push(port);
    return port;
  };
  return { ...signedInWheelhouse({}, { workers: testWorkers({ bodies }) }), started };
}

it("C-09 a very long conversation is read by the worker, an ordinary one starts none", async () => {
  const { api, started } = signedIn();
  const params = { session_id: "int_1" };
  service().override(getSession, aSession({ messages: long(10) }), { times: 1 });
  expect((await call(api, getSession, { params })).data.session?.messages).toHaveLength(10);
  expect(started).toHaveLength(0);
  const messages = long(1_000);
  service().override(getSession, aSession({ messages }));
  const { data, damage, requestId } = await call(api, getSession, { params });
  expect(data.session?.messages).toEqual(messages);
  expect([damage, requestId === null]).toEqual([[], false]);
  expect(started).toHaveLength(1);
});

it("C-09 a poll of a very long conversation that brings nothing new is no news, and keeps what did not change", async () => {
  const { api, wheelhouse } = signedIn();
  const { queries } = wheelhouse;
  const messages = long(1_000);
  const query = { ...interactionQueries.session(api, "int_1"), staleTime: 0 };
  const read = async (state: string, name: string) => {
    service().override(getSession, aSession({ messages, state, name } as never), { times: 1 });
    await queries.fetchQuery(query);
    return queries.getQueryData(query.queryKey);
  };
  const first = await read("processing", "One");
  expect(await read("processing", "One")).toBe(first);
  const named = await read("processing", "Two");
  expect(named?.data.session?.name).toBe("Two");
  expect(named?.data.session?.messages).toBe(first?.data.session?.messages);
});
