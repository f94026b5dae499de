import { afterAll, beforeAll, beforeEach } from "vitest";
import type { ModelLimits } from "../service/models/limits.ts";
import type { ModelError } from "../service/models/model-error.ts";
import { createModels, type Models } from "../service/models/models.ts";
import { type ModelSettings, readModelSettings } from "../service/models/settings.ts";
import type { ModelAnswer, ModelRequest } from "../service/models/types.ts";
import { type FakeModelServer, startFakeModelServer } from "./fake-model-server.ts";

/** The models of each provider that is connected, as an operator lists them. */
interface Connected {
  readonly local?: string;
  readonly openai?: string;
  readonly anthropic?: string;
  /** The key of all of them; missing: `local` has none. */
  readonly key?: string;
  /** What the environment says besides. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Settings by which all of these are served at one address. */
export function modelSettings(url: string, connected: Connected): ModelSettings {
  const { local, openai, anthropic, key, environment } = connected;
  return readModelSettings({
    ...(local !== undefined && {
      WHEELHOUSE_OPENAI_COMPATIBLE_URL: url,
      WHEELHOUSE_OPENAI_COMPATIBLE_KEY: key,
      WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: local,
    }),
    ...(openai !== undefined && {
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: key ?? "k1",
      WHEELHOUSE_OPENAI_MODELS: openai,
    }),
    ...(anthropic !== undefined && {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key ?? "k2",
      WHEELHOUSE_ANTHROPIC_MODELS: anthropic,
    }),
    ...environment,
  });
}

/** A request that says hello to `local/fake`, where nothing else is said of it. */
export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "local/fake",
    system: "",
    messages: [{ role: "user", text: "Hello" }],
    tools: [],
    temperature: null,
    maxTokens: null,
    idempotencyKey: "exe_1:model_1",
    signal: new AbortController().signal,
    ...more,
  };
}

/** Why a call of a model failed. @throws Error where it did not */
export async function failureOf(call: Promise<unknown>): Promise<ModelError> {
  const error = await call.then(
    () => null,
    (reason: ModelError) => reason,
  );
  if (error === null) throw new Error("The call succeeded");
  return error;
}

/** What the tests of one file about models share. */
interface ModelTests {
  /** Serves all models of the file, until its end. It hears what is asked in Anthropic's protocol, and speaks OpenAI's. */
  readonly server: FakeModelServer;
  /** Asks models that have learnt nothing in other tests. */
  ask(request?: Partial<ModelRequest>): Promise<ModelAnswer>;
  limits(model: string): ModelLimits;
}

/** Gives a test file a model server, and the models that are connected to it. */
export function modelTests(connected: Connected): ModelTests {
  let started: FakeModelServer | undefined;
  let models: Models | undefined;
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error("the server is there from the first hook on");
    return one;
  };
  beforeAll(async () => {
    started = await startFakeModelServer();
  });
  beforeEach(() => {
    models = createModels(modelSettings(there(started).url, connected), { fetch: globalThis.fetch });
  });
  afterAll(() => started?.close());
  return {
    server: {
      get url() {
        return there(started).url;
      },
      get calls() {
        return there(started).calls;
      },
      next: (...answers) => there(started).next(...answers),
      otherwise: (decide) => there(started).otherwise(decide),
      close: () => there(started).close(),
    },
    ask: (request) => there(models).ask(modelRequest(request)),
    limits: (model) => there(models).limits(model),
  };
}
