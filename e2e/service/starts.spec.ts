import { randomUUID } from "node:crypto";
import { keys, type Service } from "../service.ts";
import { expect, test } from "../starting.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

/** One start as a client that repeats it sends it. @returns status and answer */
async function send(service: Service, path: string, body: object, idempotencyKey?: string) {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "content-type": "application/json",
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

async function newest(service: Service): Promise<string[]> {
  const answer = await service.request("GET", "/runs?page_size=100");
  const { runs }: { runs: { run_id: string }[] } = await answer.json();
  return runs.map(({ run_id }) => run_id);
}

test("S-10: a start that comes again and again through two processes happens once with an Idempotency-Key, each time without", async ({
  start,
}) => {
  test.setTimeout(600_000);
  const first = await start();
  const second = await start({ data: first.data });
  const through = (n: number) => (n % 2 === 0 ? first : second);
  const flow = "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello";

  const key = randomUUID();
  const same = await Promise.all(many(20).map((n) => send(through(n), flow, { name: "Ada" }, key)));
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(same.map(({ text }) => text)).size).toBe(1);
  expect(await newest(second)).toHaveLength(1);
  for (const service of [first, second]) {
    const other = await send(service, flow, { name: "Grace" }, key);
    expect(other).toMatchObject({ status: 422, text: expect.stringContaining("idempotency_key_reused") });
  }

  const each = await Promise.all(many(10).map((n) => send(through(n), flow, { name: "Ada" })));
  const ids = each.map(({ text }): string => JSON.parse(text).run_id);
  expect(new Set(ids).size).toBe(10);
  expect(await newest(first)).toHaveLength(11);

  const turn = { gummie_id: "agent_scribe", message: "Hello", user_id: "user_ada" };
  const turnKey = randomUUID();
  const turns = await Promise.all(many(20).map((n) => send(through(n), "/start_agent", turn, turnKey)));
  expect(new Set(turns.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(turns.map(({ text }) => JSON.parse(text).interaction_id)).size).toBe(1);
});
