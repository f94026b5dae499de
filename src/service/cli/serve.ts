import { allHandlers } from "../areas/handlers.ts";
import type { Config } from "../config.ts";
import { randomIds, systemClock } from "../context.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { createSignInToken } from "../credentials/sign-in.ts";
import { createSigner } from "../credentials/signer.ts";
import { createApp, type Phase } from "../http/app.ts";
import { ListenError, type Listening, listen } from "../http/server.ts";
import { openService, type Service } from "../service.ts";
import type { Store } from "../store/store.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
import type { OpenedLog } from "./log.ts";
import { portOwner } from "./port-owner.ts";
import { stopOnSignals } from "./signals.ts";
import type { Terminal } from "./start.ts";

/**
 * The service with its port: opens the port first, so that probes and the console's files answer at once, then the
 * workspace and the engine.
 * @param opening the database, on its way; it is closed here
 * @returns the exit code, after the process was told to stop
 */
export async function serve(
  config: Config,
  opening: Promise<Store>,
  { log, file, flush }: OpenedLog,
  terminal: Terminal,
): Promise<number> {
  const signer = createSigner(readServiceSecret(config));
  const instance = signer.for("instance").sign("wheelhouse");
  const parts = { config, log, clock: systemClock, ids: randomIds };
  let phase: Phase = "starting";
  let service: Service | null = null;
  const app = createApp({
    ...parts,
    handlers: allHandlers,
    instance,
    phase: () => phase,
    context: () => service?.context ?? null,
    databaseAnswers: async () => (await service?.databaseAnswers()) ?? false,
    checkAnswers: false,
  });
  let listening: Listening | null = null;
  try {
    listening = await listen(app, config.host, config.port);
    const publicUrl = config.publicUrl ?? `http://localhost:${listening.port}`;
    const stopping = stopOnSignals(log);
    service = await openService({ ...parts, store: await opening, signer, publicUrl });
    await service.work();
    phase = "ready";
    await greet(service, config, publicUrl, file, terminal);
    log.info({ url: publicUrl, data: config.dataDirectory }, "ready");
    await stopping.asked;
    log.info("stopping");
    phase = "draining";
    await service.stopWork(stopping.graceMs);
    return 0;
  } catch (error) {
    if (error instanceof ListenError) return await portTaken(config, instance, error, opening, terminal);
    throw error;
  } finally {
    await listening?.close(5_000);
    await service?.close();
    await opening.then((store) => store.close()).catch(() => {});
    flush();
  }
}

async function greet(
  service: Service,
  config: Config,
  publicUrl: string,
  logFile: string | null,
  { print }: Terminal,
): Promise<void> {
  print(`Wheelhouse ${config.version} is running at ${publicUrl}`);
  await printSignIn(service.context.store, service.firstPerson, publicUrl, print);
  if (service.madeKeys.length > 0) {
    print("Keys made at this start, shown only now (set these variables to choose your own):");
    for (const { variable, secret } of service.madeKeys) print(`  ${variable}=${secret}`);
  }
  print(`Data: ${config.databaseUrl === null ? config.dataDirectory : "the database of DATABASE_URL"}`);
  if (logFile !== null) print(`Log: ${logFile}`);
}

async function printSignIn(
  store: Store,
  person: string,
  publicUrl: string,
  print: Terminal["print"],
): Promise<void> {
  const token = await createSignInToken(store, person);
  print(`Sign in as ${person} (this link works once, within ten minutes):`);
  print(`  ${publicUrl}/#sign-in=${token}`);
}

/** A second start on the same data: says where the first one is and makes a new link. Anything else on the port: who. */
async function portTaken(
  config: Config,
  instance: string,
  error: ListenError,
  opening: Promise<Store>,
  { print, complain }: Terminal,
): Promise<number> {
  if (!error.inUse) {
    complain(`Cannot listen on ${config.host} port ${config.port}: ${error.message}`);
    return 1;
  }
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const other = await askInstance(config.host, config.port);
  if (other === instance) {
    print(`Wheelhouse is already running at ${publicUrl}`);
    const { workspace } = await readWorkspace(config.workspaceDirectory);
    const person = workspace?.settings.people[0]?.id;
    if (person !== undefined) await printSignIn(await opening, person, publicUrl, print);
    return 0;
  }
  const owner = portOwner(config.port) ?? (other === null ? "another process" : "another Wheelhouse");
  complain(`Port ${config.port} is taken by ${owner}: stop it, or choose another with --port.`);
  return 1;
}

/** @returns the instance that a Wheelhouse on this port names; null when nothing like it answers within a second */
async function askInstance(host: string, port: number): Promise<string | null> {
  const address = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(1000) });
    const body: unknown = await answer.json();
    const named = typeof body === "object" && body !== null && "instance" in body ? body.instance : null;
    return typeof named === "string" ? named : null;
  } catch {
    return null;
  }
}
