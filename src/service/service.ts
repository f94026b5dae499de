import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import { oidcCallbackPath } from "../contract/oidc.ts";
import { readApprovalRules } from "./agents/approvals/rules.ts";
import { createListedRuns } from "./areas/listed-runs.ts";
import { createAuditSealer } from "./audit/seal.ts";
import { createBackground } from "./background.ts";
import type { ByteRoom } from "./byte-room.ts";
import type { Config } from "./config.ts";
import type { Clock, Context, Ids } from "./context.ts";
import { createAuthenticator } from "./credentials/authenticate.ts";
import { callerById } from "./credentials/caller-by-id.ts";
import { createPasswords } from "./credentials/passwords.ts";
import { createSealer } from "./credentials/sealer.ts";
import type { Signer } from "./credentials/signer.ts";
import { createEngine } from "./engine/engine.ts";
import type { Kind } from "./engine/kind.ts";
import { createRubricUsages } from "./evaluations/rubric-usage.ts";
import { FilesError } from "./files/files-error.ts";
import { createFolderMark, databaseName, markedFiles } from "./files/folder-mark.ts";
import { openFiles } from "./files/open-files.ts";
import { claimFiles } from "./files/sweep-files.ts";
import { watchedFiles } from "./files/watched-files.ts";
import { createGuesses, type GuessLimits } from "./guessing/guesses.ts";
import { createKinds, type KindTimes } from "./kinds.ts";
import { createDocumentReader } from "./knowledge/document-reader.ts";
import { loadDocuments } from "./knowledge/load-documents.ts";
import type { McpServerEntry } from "./mcp/config.ts";
import { loadMcpServers } from "./mcp/load.ts";
import { createMcp, type Mcp } from "./mcp/mcp.ts";
import { whileNotPaused } from "./mcp/paused.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createModels } from "./models/models.ts";
import { modelHosts, readModelSettings } from "./models/settings.ts";
import { codeThreads, createCodeRunner } from "./nodes/code-runner.ts";
import { createPrograms } from "./oauth/programs.ts";
import { createOidc } from "./oidc/oidc.ts";
import { createAnswerRoom } from "./outgoing/held-lines.ts";
import { createOutgoing } from "./outgoing/outgoing.ts";
import { createFlows } from "./pipelines/find-flow.ts";
import { createFlowVersions } from "./pipelines/flow-versions.ts";
import { createRunReader } from "./pipelines/run-reader.ts";
import { readDays, readRules } from "./retention/rules.ts";
import { enableSearch } from "./search/index-tables.ts";
import { coalesced } from "./store/batch.ts";
import { openDatabaseClock } from "./store/database-clock.ts";
import { createGenerations } from "./store/generation.ts";
import type { Pause } from "./store/pause.ts";
import { openPauseGate } from "./store/pause-gate.ts";
import type { Store } from "./store/store.ts";
import { openTraces } from "./traces/open-traces.ts";
import { openWorkspace } from "./workspace/check.ts";
import { loadWorkspace, type MadeKey } from "./workspace/load.ts";
import { openOidc, providerHosts } from "./workspace/sign-in.ts";

/**
 * For the database to say that it is there, in milliseconds: with the wait for a connection and the time after which a
 * request has it asked (`http/watchdog.ts`) it stays below ten seconds.
 */
const answersMs = 4_000;

/** Everything behind the HTTP room, put together and running. */
export interface Service {
  readonly context: Context;
  /** Keys that were made just now, as their variable was unset: to be shown once. */
  readonly madeKeys: readonly MadeKey[];
  /** The first person of `wheelhouse.yaml`, who signs in first. */
  readonly firstPerson: string;
  /** What it waits for before it works; null where it does. */
  paused(): Pause | null;
  /** Begins to claim executions, and to remove bytes that nothing names; where it is paused, as soon as that has ended. */
  work(): Promise<void>;
  /** Claims nothing more; what still runs after `graceMs` goes on elsewhere or at the next start. */
  stopWork(graceMs: number): Promise<void>;
  databaseAnswers(): Promise<boolean>;
  /** Whether the store of files answers as well as when it was last asked for something. */
  filesAnswer(): Promise<boolean>;
  /** After `stopWork`: closes what it opened. */
  close(): Promise<void>;
}

export interface ServiceParts extends KindTimes {
  readonly config: Config;
  readonly log: Logger;
  readonly signer: Signer;
  /** For tests; default the database's. */
  readonly clock?: Clock | undefined;
  readonly ids: Ids;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Whoever opened it closes it, after the service. */
  readonly store: Store;
  /** How long no file is removed after the start, in milliseconds; for tests. */
  readonly filesSettleMs?: number | undefined;
  /** How many wrong keys are only wrong; for tests that send more. */
  readonly guessLimits?: GuessLimits | undefined;
  /** How long an execution may take that is begun before its start is written, in milliseconds; for tests. */
  readonly quickMs?: number | undefined;
  /** Where somebody counts (`--metrics`). */
  readonly metrics?: Metrics | undefined;
}

/**
 * Loads the workspace and builds the one context that everything gets.
 * @throws WorkspaceError, ModelSettingsError or McpFileError, whose messages say what to do
 */
export async function openService(parts: ServiceParts): Promise<Service> {
  const { config, store, signer, ids, publicUrl, metrics } = parts;
  const traces = await openTraces(parts);
  const { log } = traces;
  const databaseClock = await openDatabaseClock(store);
  const gate = await openPauseGate(store, log);
  const given = parts.clock;
  const clock = given
    ? { now: () => given.now(), look: async () => {}, mayBeLate: () => false }
    : databaseClock;
  const { environment, empty } = config;
  const settings = readModelSettings(environment);
  const workspace = await openWorkspace(config.workspaceDirectory);
  const servers = empty ? [] : await loadMcpServers(config.workspaceDirectory, environment);
  const allowed = workspace.settings.allow_private;
  const outgoing = createOutgoing({ allowPrivate: allowed });
  const code = createCodeRunner(codeThreads, 2);
  const { files, mark, unavailable } = await openMarkedFiles(parts, log);
  const kinds: Record<string, Kind> = {};
  const engine = createEngine({
    ...{ store, clock, log, kinds, concurrency: config.concurrency, quickMs: parts.quickMs },
    ...{ meters: metrics?.meters, tracing: traces.tracing },
    owner: `${hostname()}:${process.pid}:${randomUUID()}`,
  });
  // Models and MCP servers may be on private addresses, as the operator named them; what flows and agents name may not.
  const toModels = createOutgoing({ allowPrivate: modelHosts(settings) });
  const room = createAnswerRoom();
  const connected = createModels(settings, { fetch: toModels.fetch, room });
  const models = metrics?.models(connected) ?? connected;
  const loaded = await loadWorkspace({
    ...{ store, ids, workspace, environment, empty, defaultModel: models.preferred },
  });
  for (const agent of loaded.keptAgents)
    log.warn({ agent }, "its file changed, but the agent was changed since");
  const mcpServers = openMcp(parts, servers, { log, clock, allowed, room });
  const mcp = whileNotPaused(metrics?.mcp(mcpServers) ?? mcpServers, () => gate.paused() !== null);
  const canSearch = await enableSearch(store);
  if (!canSearch) log.warn("this database has no pg_trgm and may not create it: GET /search is not offered");
  const generations = createGenerations(store, databaseClock.see);
  const toProvider = createOutgoing({ allowPrivate: [...allowed, ...providerHosts(workspace.settings)] });
  const guesses = createGuesses(
    store,
    (err) => log.warn({ err }, "wrong keys could not be tidied up"),
    parts.guessLimits,
  );
  const oidc = openOidc(workspace, environment, (settings, secret) =>
    createOidc({
      ...{ settings, secret, store, clock, ids, log, guesses, publicUrl, callbackPath: oidcCallbackPath },
      sealer: createSealer(signer.derive("oidc")),
      fetch: toProvider.fetch,
    }),
  );
  const authenticator = createAuthenticator(store, generations, guesses, oidc?.check, databaseClock.see);
  const versions = createFlowVersions(store.db);
  const flows = createFlows(store.db, versions);
  const approvals = readApprovalRules(workspace.settings.approvals);
  const context: Context = {
    config,
    clock,
    ids,
    log,
    store,
    engine,
    files,
    models,
    mcp,
    authenticator,
    guesses,
    oidc,
    programs: createPrograms(store, outgoing.fetch, workspace.settings.programs.metadata_documents),
    generations,
    passwords: createPasswords(),
    runs: createRunReader(store, generations),
    listedRuns: createListedRuns(),
    rubricUsages: createRubricUsages(),
    flows,
    flowVersions: versions,
    retention: readRules(workspace.settings.retention),
    approvals,
    canSearch,
    paused: gate.paused,
    signer,
    publicUrl,
  };
  metrics?.watch(context);
  const reader = createDocumentReader();
  const meters = metrics?.meters;
  Object.assign(kinds, createKinds(context, { outgoing, code, reader, meters, times: parts }));
  await Promise.all([claimFiles(context), mark.look()]).catch((err: unknown) =>
    log.warn({ err }, "the folder of files is not writable"),
  );
  if (!empty) await loadDocuments(context, config.workspaceDirectory, workspace.sources);
  const background = createBackground(context, {
    mark,
    auditDays: readDays(workspace.settings.retention.audit),
    traces: traces.exporter,
  });
  const auditSealer = createAuditSealer(context);
  databaseClock.start();
  auditSealer.start();
  guesses.start();
  return {
    context,
    paused: gate.paused,
    madeKeys: loaded.keys,
    firstPerson: workspace.settings.people[0]?.id ?? "",
    work: () =>
      gate.whenOpen(async () => {
        await engine.work();
        background.start();
      }),
    async stopWork(graceMs) {
      await gate.stop();
      await Promise.all([background.stop(), engine.stop({ graceMs })]);
    },
    databaseAnswers: coalesced(() =>
      store.prompt({ name: "answers", text: "select 1" }, answersMs).then(
        () => true,
        () => false,
      ),
    ),
    filesAnswer: async () => !(await unavailable()),
    async close() {
      await guesses.stop();
      await auditSealer.stop();
      await databaseClock.stop();
      await code.close();
      await reader.close();
      await mcp.close();
      await Promise.all([outgoing.close(), toModels.close(), toProvider.close(), traces.close()]);
    },
  };
}

/** The store of files, which removes nothing while the folder may be another database's. @throws FilesError */
async function openMarkedFiles(
  { config, store, metrics, filesSettleMs: settleMs }: ServiceParts,
  log: Logger,
) {
  const opened = openFiles(config);
  const { files, unavailable } = watchedFiles(opened, log);
  await files.check().catch((err: unknown) => {
    if (err instanceof FilesError) throw err;
    log.warn({ err }, "the folder of files is not writable");
  });
  const name = await databaseName(store, config);
  // What it looks for and does not find is told once, and not file by file.
  const looked = { ...files, size: opened.size };
  const mark = createFolderMark({ store, log, files: looked, settleMs, name });
  const marked = markedFiles(files, mark, store);
  return { files: metrics?.files(marked) ?? marked, mark, unavailable };
}

/** The clients of the workspace's servers. @param allowed private addresses that they may reach beside their own */
function openMcp(
  { config, store, signer, publicUrl }: ServiceParts,
  servers: readonly McpServerEntry[],
  {
    log,
    clock,
    allowed,
    room,
  }: Pick<Context, "log" | "clock"> & {
    readonly allowed: readonly string[];
    readonly room: ByteRoom;
  },
): Mcp {
  return createMcp(servers, {
    ...{ db: store.db, clock, publicUrl, version: config.version },
    ...{ directory: config.workspaceDirectory, path: config.environment.PATH, room },
    sealer: createSealer(signer.derive("mcp")),
    outgoing: (own) => createOutgoing({ allowPrivate: [...allowed, ...own] }),
    holds: async (credential) => (await callerById(store, credential)) !== null,
    onNotRevoked: (server, error) =>
      log.warn({ server, err: error }, "forgot its tokens, but its sign-in did not take them back"),
    onNotStarted: (server, { message, output }) => log.warn({ server, output }, message),
  });
}
