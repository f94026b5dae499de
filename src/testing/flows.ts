import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomIds } from "../service/context.ts";
import type { Engine } from "../service/engine/engine.ts";
import type { Execution, Kind } from "../service/engine/kind.ts";
import { directoryFileStore, type FileStore } from "../service/files/file-store.ts";
import { knowledgeFinder } from "../service/knowledge/find-knowledge.ts";
import { type CodeRunner, createCodeRunner } from "../service/nodes/code-runner.ts";
import { createOutgoing, type Outgoing } from "../service/outgoing/outgoing.ts";
import { createFlows } from "../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../service/pipelines/flow-versions.ts";
import { pipelineKind } from "../service/pipelines/kind.ts";
import { writeRunInput } from "../service/pipelines/run-input.ts";
import { nodeServices } from "../service/pipelines/services.ts";
import { openDatabaseClock } from "../service/store/database-clock.ts";
import { toJson } from "../service/store/json.ts";
import type { Store } from "../service/store/store.ts";
import type { Problem } from "../service/workspace/problem.ts";
import { readFlow } from "../service/workspace/read-flow.ts";
import { readYaml } from "../service/workspace/yaml-file.ts";
import { freshStore } from "./database.ts";
import { ended, testEngine } from "./engine.ts";
import { readLog, readSteps } from "./executions.ts";
import { mcpFor } from "./mcp.ts";

/** How a run came out. */
export interface FlowEnd {
  readonly execution: Execution;
  /** `{}` unless it is done. */
  readonly outputs: Record<string, unknown>;
  /** Without the times: `[node] text`. */
  readonly log: readonly string[];
}

/** Runs flows written as YAML through the real engine on a database of their own. */
export interface FlowHarness {
  readonly store: Store;
  readonly engine: Engine;
  readonly files: FileStore;
  /** Stores flows under their ids, all of one person, `user_ada`. */
  add(...yaml: string[]): Promise<void>;
  /** Starts a stored flow and gives the run's id. */
  start(flowId: string, inputs?: Record<string, unknown>, body?: string): Promise<string>;
  /** The same with other starts of the moment, as requests without an `Idempotency-Key` do. */
  launch(flowId: string, inputs?: Record<string, unknown>, body?: string): Promise<string>;
  end(runId: string, ms?: number): Promise<FlowEnd>;
  /** Adds a flow of the id `flow_test` with these nodes, runs it and waits for its end. */
  run(nodes: string, inputs?: Record<string, unknown>, body?: string): Promise<FlowEnd>;
  steps: (runId: string) => ReturnType<typeof readSteps>;
  stop(): Promise<void>;
}

export async function flowHarness({
  concurrency = 4,
  outgoing = createOutgoing({ allowPrivate: [] }),
  code = createCodeRunner(2),
  wrap = (kind) => kind,
  mcpServers = {},
}: {
  concurrency?: number;
  outgoing?: Outgoing;
  code?: CodeRunner;
  /** Puts something between the engine and the kind, such as a fault. */
  wrap?: (kind: Kind) => Kind;
  /** As `mcp.json` has them. */
  mcpServers?: object;
} = {}): Promise<FlowHarness> {
  const { store, drop } = await freshStore();
  const directory = mkdtempSync(join(tmpdir(), "wheelhouse-flows-"));
  const files = directoryFileStore(directory);
  const mcp = mcpFor(store, mcpServers);
  const versions = createFlowVersions(store.db);
  const flows = createFlows(store.db, versions);
  const kind = pipelineKind(
    nodeServices(
      store.db,
      flows,
      {
        ...{ clock: await openDatabaseClock(store), ids: randomIds, outgoing, files, code, mcp },
        findKnowledge: knowledgeFinder(store.db, "http://localhost"),
      },
      { preferred: "builtin/offline" },
    ),
    versions,
  );
  const engine = testEngine(store, { pipeline: wrap(kind) }, { concurrency });
  await store.db
    .insertInto("users")
    .values({
      ...{ id: "user_ada", email: "ada@example.com", first_name: "Ada", last_name: "Sample" },
      ...{ profile_picture: null, plan: "pro" },
    })
    .execute();
  await engine.work();
  const newRun = async (flowId: string, inputs: Record<string, unknown>, body: string) => {
    const owner = { userId: "user_ada", teamId: null };
    const flow = await flows.find(flowId);
    if (!flow) throw new Error(`there is no ${flowId}`);
    const input = writeRunInput(flow, JSON.parse(JSON.stringify(inputs)), body);
    return { id: randomIds.make("run"), kind: "pipeline", subjectId: flowId, ...owner, input };
  };
  const harness: FlowHarness = {
    store,
    engine,
    files,
    async add(...texts) {
      for (const text of texts) {
        const problems: Problem[] = [];
        const flow = await readFlow(readYaml("test.yaml", text), problems);
        if (!flow || problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
        const row = { name: flow.name, definition: toJson(flow.definition), removed_at: null, team_id: null };
        await store.db
          .insertInto("saved_items")
          .values({ id: flow.id, user_id: "user_ada", ...row })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
          .execute();
      }
    },
    async start(flowId, inputs = {}, body = "") {
      const run = await newRun(flowId, inputs, body);
      await engine.starting((_, begin) => begin(run));
      return run.id;
    },
    async launch(flowId, inputs = {}, body = "") {
      const run = await newRun(flowId, inputs, body);
      await engine.launch(run);
      return run.id;
    },
    async end(runId, ms) {
      const execution = await ended(store, runId, ms);
      const log = (await readLog(store.db, runId)).map((line) => line.slice(line.indexOf(" ") + 1));
      const { result } = execution;
      const outputs =
        result !== null && typeof result === "object" && "outputs" in result ? result.outputs : {};
      return { execution, log, outputs: { ...(outputs as object) } };
    },
    async run(nodes, inputs, body) {
      await harness.add(`id: flow_test\nname: Test\nowner: user_ada\nnodes:\n${nodes.replace(/^\n/, "")}`);
      return harness.end(await harness.start("flow_test", inputs, body));
    },
    steps: (runId) => readSteps(store.db, runId),
    async stop() {
      await engine.stop({ graceMs: 0 });
      await code.close();
      await outgoing.close();
      await drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return harness;
}
