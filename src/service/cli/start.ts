import type { Config } from "../config.ts";
import { randomIds } from "../context.ts";
import { instanceOf } from "../credentials/instance.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { createSigner } from "../credentials/signer.ts";
import type { App } from "../http/app.ts";
import { health } from "../http/health.ts";
import { ListenError, type Listening, listen } from "../http/server.ts";
import { openStore } from "../store/store.ts";
import { collectEarly } from "./collect-early.ts";
import type { OpenedLog } from "./log.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse start`. First the port, so that a second start is known before it touches anything, then the database,
 * which comes up while the rest of the service is still being read.
 * @returns the exit code, after the process was told to stop
 */
export async function start(config: Config, opened: OpenedLog, terminal: Terminal): Promise<number> {
  collectEarly();
  const secret = readServiceSecret(config);
  const signer = createSigner(secret);
  const instance = instanceOf(secret);
  let provide: (app: App) => void = () => {};
  const provided = new Promise<App>((resolve) => {
    provide = resolve;
  });
  let listening: Listening;
  try {
    listening = await listen(bootApp(instance, provided), config.host, config.port);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const { portTaken } = await import("./port-taken.ts");
    return await portTaken(config, instance, error, opened.log, terminal);
  }
  const opening = openStore({ ...storeOptions(config), log: opened.log });
  // Whoever awaits it hears of a failure; until then it is not a forgotten promise.
  opening.catch(() => {});
  const { serve } = await import("./serve.ts");
  return await serve({ config, signer, instance, listening, provide, opening }, opened, terminal);
}

/** Until the service is read: it is alive, and everything else waits for it. */
function bootApp(instance: string, provided: Promise<App>): App {
  let app: App | null = null;
  void provided.then((given) => {
    app = given;
  });
  return {
    answer: (incoming, outgoing) => app?.answer(incoming, outgoing) ?? false,
    async fetch(request, bindings) {
      if (!request.url.endsWith("/healthz")) return await (await provided).fetch(request, bindings);
      const { status, headers, body } = health(instance);
      return new Response(body, { status, headers: { ...headers, "x-request-id": randomIds.make("req") } });
    },
  };
}

/** How the store is opened for this configuration. */
export function storeOptions(config: Config) {
  const { connections, dataDirectory } = config;
  return {
    databaseUrl: config.databaseUrl ?? undefined,
    dataDirectory,
    ...(connections === null ? {} : { connections }),
  };
}
