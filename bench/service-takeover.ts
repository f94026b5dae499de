import { once } from "node:events";
import { openSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Service } from "../e2e/service.ts";
import { makeWorkspace, type Sink, startSink } from "./workspace.ts";

/** A service is killed at any time of so many milliseconds after it began with its node. */
const spreadMs = 5_000;

/**
 * A whole service with its own database, alone on its data: killed with SIGKILL while a node of it calls a server that does
 * not answer, and started again at once.
 * @returns milliseconds from the kill to the moment when that server is called again, one for each round
 */
export async function takeOverByStart(rounds: number): Promise<number[]> {
  const sink = await startSink(() => {});
  const node = `{ type: http, url: "${sink.url}" }`;
  const workspace = makeWorkspace(sink, { unanswered: { node, team: "team_harbor" } });
  const log = openSync("/dev/null", "w");
  const service = await Service.start({ log, flags: ["--workspace", workspace] });
  const took: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) took.push(await killed(service, sink));
  } finally {
    await service.stop();
    sink.server.closeAllConnections();
    sink.server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
  return took;
}

async function killed(service: Service, { server }: Sink): Promise<number> {
  const called = once(server, "request");
  const path = "/start_pipeline?user_id=user_ada&saved_item_id=flow_unanswered";
  const started: { run_id: string } = await (await service.request("POST", path, {})).json();
  await called;
  await delay(Math.random() * spreadMs);
  await service.crash();
  const killedAt = performance.now();
  const calledAgain = once(server, "request").then(() => performance.now() - killedAt);
  await service.startAgain();
  const took = await calledAgain;
  // So that the next round's call is its own.
  const run = { run_id: started.run_id, user_id: "user_ada" };
  const stopped = await service.request("POST", "/kill_pipeline", run);
  if (!stopped.ok) throw new Error(`kill_pipeline: ${stopped.status} ${await stopped.text()}`);
  return took;
}
