import { z } from "zod";
import type { Config } from "../config.ts";
import { parseJson } from "../json.ts";
import { modelHosts, type ProviderSettings, readModelSettings } from "../models/settings.ts";
import { createOutgoing, type Outgoing } from "../outgoing/outgoing.ts";
import { sentenceOf } from "../store/store-error.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** For a provider's answer, in milliseconds. */
const answerMs = 10_000;

/** Whether each connected provider of models answers, takes its key and has the models that are offered. Costs no tokens. */
export async function examineModels({
  environment,
}: Pick<Config, "environment">): Promise<readonly Finding[]> {
  let settings: ReturnType<typeof readModelSettings>;
  try {
    settings = readModelSettings(environment);
  } catch (error) {
    return [problem("models", sentenceOf(error), "Correct the variable; no start works with it")];
  }
  if (settings.providers.length === 0)
    return [ok("models", "No provider is connected: there is the built-in model, which has no language")];
  const outgoing = createOutgoing({ allowPrivate: modelHosts(settings) });
  try {
    return await Promise.all(settings.providers.map((provider) => examineProvider(provider, outgoing)));
  } finally {
    await outgoing.close();
  }
}

const keyVariable = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  compatible: "WHEELHOUSE_OPENAI_COMPATIBLE_KEY",
} as const;
const modelsVariable = {
  openai: "WHEELHOUSE_OPENAI_MODELS",
  anthropic: "WHEELHOUSE_ANTHROPIC_MODELS",
  compatible: "WHEELHOUSE_OPENAI_COMPATIBLE_MODELS",
} as const;
const listBody = z.object({ data: z.array(z.object({ id: z.string() })) });

async function examineProvider(provider: ProviderSettings, outgoing: Outgoing): Promise<Finding> {
  const { kind, name, baseUrl, models } = provider;
  const check = `models.${name}`;
  const { host } = new URL(baseUrl);
  try {
    const { status, text } = await outgoing.request({
      ...{ url: `${baseUrl}/models`, method: "GET", headers: headersOf(provider), body: null },
      signal: AbortSignal.timeout(answerMs),
    });
    if (status === 401 || status === 403)
      return problem(
        check,
        `${host} refuses the key (${status})`,
        `Set ${keyVariable[kind]} to one that it takes`,
      );
    if (status >= 500)
      return warning(check, `${host} answers ${status}`, "Look whether the provider has a fault now");
    const listed = listBody.safeParse(parseJson(text));
    if (!listed.success) return ok(check, `${host} answers, and lists no models`);
    const there = new Set(listed.data.data.map(({ id }) => id));
    const missing = models.filter((model) => !there.has(model));
    if (missing.length > 0)
      return warning(
        check,
        `${host} does not list ${missing.join(", ")}`,
        `Correct ${modelsVariable[kind]}, unless it takes names that it does not list`,
      );
    return ok(check, `${host} answers and has ${models.join(", ")}`);
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    const why = timedOut ? `${host} did not answer within ${answerMs / 1_000} s` : sentenceOf(error);
    return problem(check, why, "Look at its address, and whether this machine reaches it");
  }
}

function headersOf({ kind, key }: ProviderSettings): Record<string, string> {
  if (key === null) return {};
  if (kind === "anthropic") return { "x-api-key": key, "anthropic-version": "2023-06-01" };
  return { authorization: `Bearer ${key}` };
}
