import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLog } from "../../testing/executions.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";

/** A host that answers when the test lets it. */
const open: ServerResponse[] = [];
let isOpen = false;
let server: Server;
/** One that takes connections and answers nothing. */
let mute: Server;
let harness: FlowHarness;
let url = "";
let muteUrl = "";

beforeAll(async () => {
  server = createServer((_, response) => {
    if (isOpen) response.end("late");
    else open.push(response);
  });
  mute = createServer(() => {});
  const hosts: string[] = [];
  for (const each of [server, mute]) {
    await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
    hosts.push(`localhost:${(each.address() as AddressInfo).port}`);
  }
  [url = "", muteUrl = ""] = hosts.map((host) => `http://${host}`);
  harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate: hosts }) });
});
afterAll(async () => {
  await harness.stop();
  for (const each of [server, mute]) {
    each.closeAllConnections();
    each.close();
  }
});

test("S-247: a node whose host is kept busy by a long list has its whole time when its turn comes, and the log says that it waited", async () => {
  const items = JSON.stringify(Array.from({ length: 60 }, (_, index) => index));
  await harness.add(
    `id: flow_many
name: Many
owner: user_ada
nodes:
  all:
    type: each
    items: ${items}
    concurrency: 50
    do: { type: http, method: POST, url: "${url}/many" }
  out: { type: output, value: "{{ all.count }}" }
`,
    `id: flow_one
name: One
owner: user_ada
nodes:
  one: { type: http, timeout_s: 2, url: "${url}/one" }
  out: { type: output, value: "{{ one.value }}" }
`,
    `id: flow_lost
name: Lost
owner: user_ada
nodes:
  lost: { type: http, timeout_s: 2, url: "${muteUrl}" }
  out: { type: output, value: "{{ lost.value }}" }
`,
  );
  const many = await harness.start("flow_many");
  await until("the list to keep the host busy", async () => open.length === 50);
  const one = await harness.start("flow_one");
  await until("the log to say so", async () => {
    const log = await readLog(harness.store.db, one);
    return log.some((line) => line.includes("[one] waiting for a free place, next in line"));
  });
  // Another that begins now, and may take as long, has used up its time.
  const lost = await harness.end(await harness.start("flow_lost"));
  expect(lost.execution.error).toContain("it took longer than 2 s");
  isOpen = true;
  for (const response of open) response.end("in time");
  const { outputs, log } = await harness.end(one);
  expect(outputs).toEqual({ out: "late" });
  expect(log.filter((line) => line.includes("waited"))).toEqual([
    expect.stringMatching(/^\[one\] waited [\d.]+ (s|ms) for a free place$/),
  ]);
  expect((await harness.end(many)).outputs).toEqual({ out: 60 });
});
