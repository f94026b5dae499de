import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { readExecution } from "../service/engine/queries.ts";
import { startSeeded } from "../service/engine/seed.ts";
import { createOutgoing } from "../service/outgoing/outgoing.ts";
import { createFlows } from "../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../service/pipelines/flow-versions.ts";
import {
  type AgainAsk,
  type AgainPreview,
  previewAgain,
  readRunsAbove,
  seedAgain,
} from "../service/pipelines/run-again.ts";
import { type FlowHarness, flowHarness } from "./flows.ts";

/** Flows that run again, and what they reach outside; for the tests of one file. */
export class AgainSuite {
  /** What has reached the outside: `/<node>`, or `/<node>/<item>`. */
  ledger: string[] = [];
  /** Addresses that answer an error. */
  broken = new Set<string>();
  #harness: FlowHarness | undefined;
  #port = 0;

  constructor() {
    const outside = createServer((request, response) => {
      const url = request.url ?? "";
      this.ledger.push(url);
      response.writeHead(this.broken.has(url) ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(`answer ${this.ledger.length}`));
    });
    beforeAll(async () => {
      outside.listen(0, "127.0.0.1");
      await once(outside, "listening");
      ({ port: this.#port } = outside.address() as AddressInfo);
      const allowPrivate = [`localhost:${this.#port}`];
      this.#harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate }) });
    });
    afterAll(async () => {
      outside.closeAllConnections();
      outside.close();
      await this.harness.stop();
    });
    beforeEach(() => {
      this.ledger = [];
      this.broken = new Set();
    });
  }

  get harness(): FlowHarness {
    if (!this.#harness) throw new Error("nothing has begun");
    return this.#harness;
  }

  /** @param nodes as YAML */
  readonly add = async (id: string, nodes: string): Promise<void> => {
    await this.harness.add(`id: ${id}\nname: Test\nowner: user_ada\nnodes:\n${nodes.replace(/^\n/, "")}`);
  };

  /** The beginning of a node that reaches the outside. */
  readonly call = (path: string): string => `{ type: http, url: "http://localhost:${this.#port}${path}"`;

  readonly preview = async (runId: string, ask: Partial<AgainAsk> = {}): Promise<AgainPreview> => {
    const { store } = this.harness;
    const run = await readExecution(store.db, runId);
    if (!run) throw new Error(`there is no ${runId}`);
    const versions = createFlowVersions(store.db);
    const parts = { store, versions, flows: createFlows(store.db, versions) };
    const asked: AgainAsk = { from: null, flow: "as_run", inputs: {}, output: null, ...ask };
    return previewAgain(parts, await readRunsAbove(store, run), asked);
  };

  /** Starts it and waits for its end. @returns the ids of the new runs, the topmost first */
  readonly again = async (shown: AgainPreview): Promise<readonly string[]> => {
    expect(shown.refusals).toEqual([]);
    const ids = shown.levels.map((_, index) => `run_again_${Math.random().toString(36).slice(2)}_${index}`);
    const seeded = seedAgain(shown, { userId: "user_ada", teamId: null, now: new Date(), ids });
    if (!seeded) throw new Error("nothing goes again");
    await this.harness.engine.starting((tx, start) => startSeeded(tx, start, seeded));
    await this.harness.end(seeded.execution.id);
    return ids;
  };
}

/** Why it is refused, each with its field. */
export const sentences = ({ refusals }: AgainPreview): readonly string[] =>
  refusals.map(({ param, message }) => `${param}: ${message}`);
