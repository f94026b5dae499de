import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import { oidcCallbackPath } from "../contract/oidc.ts";
import { readApprovalRules } from "./agents/approvals/rules.ts";
import { createEraser } from "./agents/erase-conversations.ts";
import { defaultRetry, type RetryPolicy } from "./agents/retry.ts";
import { createTurnKind, turnKind } from "./agents/turn.ts";
import { createListedRuns } from "./areas/listed-runs.ts";
import { createAuditRetention, createAuditSealer } from "./audit/seal.ts";
import type { Config } from "./config.ts";
import type { Clock, Context, Ids } from "./context.ts";
import { createAuthenticator } from "./credentials/authenticate.ts";
import { callerById } from "./credentials/caller-by-id.ts";
import { createPasswords } from "./credentials/passwords.ts";
import { createSealer } from "./credentials/sealer.ts";
import type { Signer } from "./credentials/signer.ts";
import { createEngine } from "./engine/engine.ts";
import type { Kind } from "./engine/kind.ts";
import { createEvaluationKind, evaluationKind } from "./evaluations/evaluation-kind.ts";
import { createRubricUsages } from "./evaluations/rubric-usage.ts";
import { withEvaluations } from "./evaluations/start-evaluations.ts";
import { FilesError } from "./files/files-error.ts";
import { createFolderMark, databaseName, markedFiles } from "./files/folder-mark.ts";
import { openFiles } from "./files/open-files.ts";
import { purgeDeleted } from "./files/purge-deleted.ts";
import { claimFiles, createFileSweeper } from "./files/sweep-files.ts";
import { watchedFiles } from "./files/watched-files.ts";
import { createGuesses, type GuessLimits } from "./guessing/guesses.ts";
import { createDocumentReader } from "./knowledge/document-reader.ts";
import { knowledgeFinder } from "./knowledge/find-knowledge.ts";
import { loadDocuments } from "./knowledge/load-documents.ts";
import { syncKind } from "./knowledge/source-run.ts";
import { createSyncKind } from "./knowledge/sync.ts";
import { loadMcpServers } from "./mcp/load.ts";
import { createMcp } from "./mcp/mcp.ts";
import { whileNotPaused } from "./mcp/paused.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createModels } from "./models/models.ts";
import { modelHosts, readModelSettings } from "./models/settings.ts";
import { codeThreads, createCodeRunner } from "./nodes/code-runner.ts";
import { createPrograms } from "./oauth/programs.ts";
import { createOauthSweep } from "./oauth/sweep.ts";
import { createOidc } from "./oidc/oidc.ts";
import { createOutgoing } from "./outgoing/outgoing.ts";
import { createFlows } from "./pipelines/find-flow.ts";
import { createFlowVersions } from "./pipelines/flow-versions.ts";
import { pipeline, pipelineKind } from "./pipelines/kind.ts";
import { createRunReader } from "./pipelines/run-reader.ts";
import { nodeServices } from "./pipelines/services.ts";
import { createRecurring } from "./recurring.ts";
import { createRetention } from "./retention/retention.ts";
import { readDays, readRules } from "./retention/rules.ts";
import { enableSearch } from "./search/index-tables.ts";
import { createIndexer } from "./search/indexer.ts";
import { createAnalyzer } from "./store/analyze-grown.ts";
import { coalesced } from "./store/batch.ts";
import { openDatabaseClock } from "./store/database-clock.ts";
import { createGenerations } from "./store/generation.ts";
import { type Pause, readPause } from "./store/pause.ts";
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
/** Milliseconds between two looks whether what is paused may go on. */
const pausedLookMs = 1_000;

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

export interface ServiceParts {
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
  /** How turns wait for a model that fails; for tests, which cannot wait so long. */
  readonly modelRetry?: RetryPolicy | undefined;
  /** How long a conversation must be quiet before it is evaluated, in milliseconds; for tests. */
  readonly evaluationQuietMs?: number | undefined;
  /** How long an evaluation may ask its model, in milliseconds; for tests. */
  readonly evaluationLimitMs?: number | undefined;
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
  let pause = await readPause(store.db);
  const given = parts.clock;
  const clock = given ? { now: () => given.now(), look: async () => {} } : databaseClock;
  const { environment, empty } = config;
  const settings = readModelSettings(environment);
  const workspace = await openWorkspace(config.workspaceDirectory);
  const servers = empty ? [] : await loadMcpServers(config.workspaceDirectory, environment);
  const allowed = workspace.settings.allow_private;
  const outgoing = createOutgoing({ allowPrivate: allowed });
  const code = createCodeRunner(codeThreads, 2);
  const { files: folder, unavailable } = watchedFiles(openFiles(config), log);
  await folder.check().catch((err: unknown) => {
    if (err instanceof FilesError) throw err;
    log.warn({ err }, "the folder of files is not writable");
  });
  const mark = createFolderMark({
    ...{ store, log, files: folder, settleMs: parts.filesSettleMs },
    name: await databaseName(store, config),
  });
  const marked = markedFiles(folder, mark, store);
  const files = metrics?.files(marked) ?? marked;
  const kinds: Record<string, Kind> = {};
  const engine = createEngine({
    store,
    clock,
    log,
    concurrency: config.concurrency,
    kinds,
    owner: `${hostname()}:${process.pid}:${randomUUID()}`,
    quickMs: parts.quickMs,
    meters: metrics?.meters,
    tracing: traces.tracing,
  });
  // Models and MCP servers may be on private addresses, as the operator named them; what flows and agents name may not.
  const toModels = createOutgoing({ allowPrivate: modelHosts(settings) });
  const connected = createModels(settings, { fetch: toModels.fetch });
  const models = metrics?.models(connected) ?? connected;
  const loaded = await loadWorkspace({
    store,
    ids,
    workspace,
    environment,
    defaultModel: models.preferred,
    empty,
  });
  for (const agent of loaded.keptAgents)
    log.warn({ agent }, "its file changed, but the agent was changed since");
  const mcpServers = createMcp(servers, {
    db: store.db,
    clock,
    sealer: createSealer(signer.derive("mcp")),
    outgoing: (own) => createOutgoing({ allowPrivate: [...allowed, ...own] }),
    publicUrl,
    version: config.version,
    directory: config.workspaceDirectory,
    path: environment.PATH,
    holds: async (credential) => (await callerById(store, credential)) !== null,
    onNotRevoked: (server, error) =>
      log.warn({ server, err: error }, "forgot its tokens, but its sign-in did not take them back"),
    onNotStarted: (server, { message, output }) => log.warn({ server, output }, message),
  });
  const mcp = whileNotPaused(metrics?.mcp(mcpServers) ?? mcpServers, () => pause !== null);
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
    paused: () => pause,
    signer,
    publicUrl,
  };
  metrics?.watch(context);
  const findKnowledge = knowledgeFinder(store.db, publicUrl);
  const nodes = nodeServices(
    store.db,
    flows,
    { clock, ids, outgoing, files, code, mcp, findKnowledge, meters: metrics?.meters },
    models,
  );
  kinds[pipeline] = pipelineKind(nodes, versions);
  const { findFlow, mayUseServer } = nodes;
  const retry = parts.modelRetry ?? defaultRetry;
  const { db } = store;
  const turns = createTurnKind({
    store,
    db,
    clock,
    ids,
    outgoing,
    files,
    findFlow,
    findKnowledge,
    mayUseServer,
    models,
    mcp,
    retry,
    approvals,
    meters: metrics?.meters,
  });
  kinds[turnKind] = withEvaluations(turns, { ids, engine });
  const reader = createDocumentReader();
  kinds[syncKind] = createSyncKind({ db, clock, ids, files, reader });
  await Promise.all([claimFiles(context), mark.look()]).catch((err: unknown) =>
    log.warn({ err }, "the folder of files is not writable"),
  );
  const sweeper = createFileSweeper(context, async (signal) => {
    await mark.settled(signal);
    return purgeDeleted(context, signal);
  });
  const eraser = createEraser(context);
  const indexer = createIndexer(context);
  const retention = createRetention(context);
  const oauthSweep = createOauthSweep(context);
  const analyzer = createAnalyzer(context);
  const auditSealer = createAuditSealer(context);
  const auditRetention = createAuditRetention(context, readDays(workspace.settings.retention.audit));
  if (!empty) await loadDocuments(context, config.workspaceDirectory, workspace.sources);
  const quietMs = parts.evaluationQuietMs ?? 30_000;
  const limitMs = parts.evaluationLimitMs ?? 15 * 60_000;
  kinds[evaluationKind] = createEvaluationKind({ store, clock, models, retry, quietMs, limitMs });
  databaseClock.start();
  auditSealer.start();
  guesses.start();
  async function begin(): Promise<void> {
    await engine.work();
    mark.start();
    sweeper.start();
    eraser.start();
    if (canSearch) indexer.start();
    retention.start();
    auditRetention.start();
    oauthSweep.start();
    analyzer.start();
    traces.exporter?.start();
  }
  const waiting = createRecurring(
    async () => {
      const now = await readPause(store.db);
      if (now !== null || pause === null) return;
      const before = pause;
      // What begins must not be refused for it.
      pause = null;
      log.info("let go on: work begins");
      try {
        await begin();
      } catch (error) {
        // Else it would say that it works, and nobody would try again.
        pause = before;
        throw error;
      }
      void waiting.stop();
    },
    pausedLookMs,
    (err) => log.warn({ err }, "whether work may go on could not be looked at"),
  );
  return {
    context,
    paused: () => pause,
    madeKeys: loaded.keys,
    firstPerson: workspace.settings.people[0]?.id ?? "",
    async work() {
      if (pause === null) return await begin();
      log.warn({ since: pause.since }, `paused: ${pause.reason}. Let it go on with: wheelhouse resume`);
      waiting.start();
    },
    async stopWork(graceMs) {
      await waiting.stop();
      await Promise.all([
        mark.stop(),
        sweeper.stop(),
        eraser.stop(),
        indexer.stop(),
        retention.stop(),
        auditRetention.stop(),
        oauthSweep.stop(),
        analyzer.stop(),
        traces.exporter?.stop(),
        engine.stop({ graceMs }),
      ]);
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
