import { z } from "zod";

/** A provider that the operator connected by environment variables. */
export interface ProviderSettings {
  /** `openai` and `anthropic` speak their own protocol; `compatible` the chat protocol that most local servers speak. */
  readonly kind: "openai" | "anthropic" | "compatible";
  /** The first part of `<provider>/<model>`. */
  readonly name: string;
  /** What a person reads above its models. */
  readonly label: string;
  readonly baseUrl: string;
  /** Null for a server that asks for none. Never logged, never part of a message. */
  readonly key: string | null;
  readonly models: readonly string[];
  /** Tokens of a request and its answer together, for all of its models; null: what is known or assumed of each. */
  readonly contextTokens: number | null;
}

export interface ModelSettings {
  readonly providers: readonly ProviderSettings[];
}

/** A variable of the environment has no usable value. The message names it and never repeats the value. */
class ModelSettingsError extends Error {
  override readonly name = "ModelSettingsError";
}

const address = z.url({ protocol: /^https?$/, abort: true }).refine((value) => {
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === "";
});
/** Headers take no other characters, and no provider gives a key with a blank in it. */
const keyForm = /^[\x21-\x7e]+$/;
/** Some files of variables are read with the quotes that shells take away; some texts come with those of print. */
const quoted = /^["'“”‘’].*["'“”‘’]$/s;
const providerName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/);

/**
 * Reads which models are connected:
 * `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` (each with `…_BASE_URL` where it is not the provider's own address), and any server
 * that speaks the OpenAI protocol by `WHEELHOUSE_OPENAI_COMPATIBLE_URL` (its base address, ending with `/v1` as a rule),
 * `…_KEY` (optional), `…_MODELS` (comma separated, required) and `…_NAME` (default `local`).
 * `WHEELHOUSE_OPENAI_MODELS` and `WHEELHOUSE_ANTHROPIC_MODELS` replace the lists of models that are offered.
 * `WHEELHOUSE_OPENAI_CONTEXT`, `WHEELHOUSE_ANTHROPIC_CONTEXT` and `WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT` say how many tokens
 * their models read and write in one call.
 * @throws ModelSettingsError naming the variable
 */
export function readModelSettings(environment: Readonly<Record<string, string | undefined>>): ModelSettings {
  const given = (name: string) => {
    const value = environment[name]?.trim() || null;
    if (value !== null && quoted.test(value))
      throw new ModelSettingsError(`${name} has quotes around its value: leave them out`);
    return value;
  };
  const key = (name: string) => {
    const value = given(name);
    if (value !== null && !keyForm.test(value))
      throw new ModelSettingsError(`${name} must be a key without blanks and letters beyond ASCII`);
    return value;
  };
  const url = (name: string, otherwise: string) => {
    const value = given(name);
    if (value === null) return otherwise;
    if (!address.safeParse(value).success)
      throw new ModelSettingsError(`${name} must be an http(s) address without a password, a ? or a #`);
    return value.replace(/\/+$/, "");
  };
  const providers: ProviderSettings[] = [];
  const openai = key("OPENAI_API_KEY");
  if (openai !== null) {
    providers.push({
      kind: "openai",
      name: "openai",
      label: "OpenAI",
      baseUrl: url("OPENAI_BASE_URL", "https://api.openai.com/v1"),
      key: openai,
      models: list(given("WHEELHOUSE_OPENAI_MODELS")) ?? ["gpt-5.1", "gpt-5-mini", "gpt-4.1"],
      contextTokens: tokens(given, "WHEELHOUSE_OPENAI_CONTEXT"),
    });
  }
  const anthropic = key("ANTHROPIC_API_KEY");
  if (anthropic !== null) {
    providers.push({
      kind: "anthropic",
      name: "anthropic",
      label: "Anthropic",
      baseUrl: url("ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1"),
      key: anthropic,
      models: list(given("WHEELHOUSE_ANTHROPIC_MODELS")) ?? ["claude-sonnet-4-5", "claude-haiku-4-5"],
      contextTokens: tokens(given, "WHEELHOUSE_ANTHROPIC_CONTEXT"),
    });
  }
  const compatible = compatibleProvider(given, url, key);
  return { providers: compatible === null ? providers : [...providers, compatible] };
}

const prefix = "WHEELHOUSE_OPENAI_COMPATIBLE";

function compatibleProvider(
  given: (name: string) => string | null,
  url: (name: string, otherwise: string) => string,
  key: (name: string) => string | null,
): ProviderSettings | null {
  const baseUrl = url(`${prefix}_URL`, "");
  if (baseUrl === "") {
    const alone = ["MODELS", "KEY", "NAME", "CONTEXT"].find((part) => given(`${prefix}_${part}`) !== null);
    if (alone === undefined) return null;
    throw new ModelSettingsError(`${prefix}_URL must name the server that ${prefix}_${alone} is about`);
  }
  const models = list(given(`${prefix}_MODELS`));
  if (models === null) {
    throw new ModelSettingsError(
      `${prefix}_MODELS must name the models of ${prefix}_URL, separated by commas`,
    );
  }
  const name = given(`${prefix}_NAME`) ?? "local";
  if (!providerName.safeParse(name).success || ["openai", "anthropic", "builtin"].includes(name)) {
    throw new ModelSettingsError(`${prefix}_NAME must be a short lower-case name of its own, such as local`);
  }
  const contextTokens = tokens(given, `${prefix}_CONTEXT`);
  return {
    kind: "compatible",
    name,
    label: name,
    baseUrl,
    key: key(`${prefix}_KEY`),
    models,
    contextTokens,
  };
}

const fewestTokens = 1_000;

function tokens(given: (name: string) => string | null, name: string): number | null {
  const value = given(name);
  if (value === null) return null;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < fewestTokens) {
    throw new ModelSettingsError(`${name} must be a whole number of tokens, ${fewestTokens} at least`);
  }
  return number;
}

function list(value: string | null): readonly string[] | null {
  const names = (value ?? "").split(",").map((name) => name.trim());
  const unique = [...new Set(names.filter((name) => name !== ""))];
  return unique.length === 0 ? null : unique;
}

/** `host:port` of each connected provider, for the guard that lets nothing else on private addresses pass. */
export function modelHosts({ providers }: ModelSettings): string[] {
  return providers.map(({ baseUrl }) => {
    const { protocol, hostname, port } = new URL(baseUrl);
    return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  });
}
