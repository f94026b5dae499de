import { z } from "zod";
import { type Config, longestTraceTimeoutMs, type TraceSettings } from "../config.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Where traces go, by the variables of OpenTelemetry's specification. They go nowhere where none of them names a collector,
 * or where they are switched off. A variable for traces alone goes before the one for all signals.
 * @returns null: nowhere
 * @throws UsageError that names the variable; its value is not repeated, as it may hold a secret
 */
export function readTraces(environment: Config["environment"]): TraceSettings | null {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const exporter = given("OTEL_TRACES_EXPORTER");
  if (exporter !== undefined && exporter !== "otlp" && exporter !== "none")
    throw new UsageError("OTEL_TRACES_EXPORTER must be otlp or none");
  if (isTrue(given, "OTEL_SDK_DISABLED") || exporter === "none") return null;
  const url = readUrl(given, exporter === "otlp");
  if (url === null) return null;
  for (const name of ["CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE"]) {
    const [variable] = either(given, name);
    if (variable !== null)
      throw new UsageError(
        `${variable} is not known here: name authorities of your own by NODE_EXTRA_CA_CERTS`,
      );
  }
  return {
    url,
    headers: readHeaders(given),
    protocol: oneOf(
      given,
      "PROTOCOL",
      ["http/protobuf", "http/json"],
      "http/protobuf",
      ": gRPC is not spoken",
    ),
    isCompressed: oneOf(given, "COMPRESSION", ["none", "gzip"], "none") === "gzip",
    timeoutMs: milliseconds(either(given, "TIMEOUT"), 10_000),
    everyMs: milliseconds(["OTEL_BSP_SCHEDULE_DELAY", given("OTEL_BSP_SCHEDULE_DELAY") ?? ""], 5_000),
    resource: readResource(given),
    sampler: readSampler(given),
    withContents: readContents(given),
  };
}

type Given = (name: string) => string | undefined;

/** Of two variables the one that is set. */
function either(given: Given, what: string): readonly [variable: string | null, value: string] {
  for (const variable of [`OTEL_EXPORTER_OTLP_TRACES_${what}`, `OTEL_EXPORTER_OTLP_${what}`]) {
    const value = given(variable);
    if (value !== undefined) return [variable, value];
  }
  return [null, ""];
}

function readUrl(given: Given, isAsked: boolean): string | null {
  const [variable, value] = either(given, "ENDPOINT");
  if (variable === null) return isAsked ? "http://localhost:4318/v1/traces" : null;
  const wrong = `${variable} must be an http(s) address such as http://localhost:4318`;
  if (!z.url({ protocol: /^https?$/ }).safeParse(value).success) throw new UsageError(wrong);
  const url = new URL(value);
  if (url.username + url.password !== "")
    throw new UsageError(
      `${variable} must not hold a user name or password: they go into OTEL_EXPORTER_OTLP_HEADERS`,
    );
  if (url.hash !== "") throw new UsageError(`${wrong}, without a #`);
  if (variable === "OTEL_EXPORTER_OTLP_ENDPOINT")
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}

function readHeaders(given: Given): Record<string, string> {
  const [variable, value] = either(given, "HEADERS");
  if (variable === null) return {};
  const pairs = readPairs(variable, value).map(([name, text]) => [name.toLowerCase(), text] as const);
  for (const [name, text] of pairs) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(text))
      throw new UsageError(`${variable} must be headers, NAME=VALUE with commas between them`);
  }
  return Object.fromEntries(pairs);
}

function readResource(given: Given): Record<string, string> {
  const variable = "OTEL_RESOURCE_ATTRIBUTES";
  const attributes = Object.fromEntries(readPairs(variable, given(variable) ?? ""));
  return {
    ...attributes,
    "service.name": given("OTEL_SERVICE_NAME") ?? attributes["service.name"] ?? "wheelhouse",
  };
}

/** `a=1,b=x%20y`. */
function readPairs(variable: string, value: string): [string, string][] {
  return value
    .split(",")
    .filter((pair) => pair.trim() !== "")
    .map((pair) => {
      const cut = pair.indexOf("=");
      const key = pair.slice(0, Math.max(cut, 0)).trim();
      if (key === "") throw new UsageError(`${variable} must be NAME=VALUE with commas between them`);
      try {
        return [key, decodeURIComponent(pair.slice(cut + 1).trim())];
      } catch {
        throw new UsageError(`${variable} must have its values percent-encoded`);
      }
    });
}

function oneOf<T extends string>(given: Given, what: string, values: readonly T[], usual: T, why = ""): T {
  const [variable, value] = either(given, what);
  if (variable === null) return usual;
  const found = values.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${variable} must be ${values.join(" or ")}${why}`);
  return found;
}

function milliseconds([variable, value]: readonly [string | null, string], usual: number): number {
  if (variable === null || value === "") return usual;
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > longestTraceTimeoutMs)
    throw new UsageError(`${variable} must be a number of milliseconds from 1 to ${longestTraceTimeoutMs}`);
  return number;
}

function readSampler(given: Given): TraceSettings["sampler"] {
  const variable = "OTEL_TRACES_SAMPLER";
  const value = given(variable) ?? "parentbased_always_on";
  const [, parent, how] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(value) ?? [];
  if (how === undefined)
    throw new UsageError(
      `${variable} must be always_on, always_off or traceidratio, or one of them after parentbased_`,
    );
  const isParentBased = parent !== undefined;
  if (how !== "traceidratio") return { isParentBased, ratio: how === "always_on" ? 1 : 0 };
  const text = given(`${variable}_ARG`) ?? "1";
  const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : -1;
  if (ratio < 0 || ratio > 1) throw new UsageError(`${variable}_ARG must be a number from 0 to 1`);
  return { isParentBased, ratio };
}

/** Of OpenTelemetry's instrumentations for models. */
function readContents(given: Given): boolean {
  const variable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
  const value = (given(variable) ?? "false").toLowerCase();
  if (value === "true" || value === "span_only") return true;
  if (value === "false" || value === "no_content") return false;
  throw new UsageError(
    `${variable} must be true or false (or span_only, no_content): contents go into spans alone`,
  );
}

function isTrue(given: Given, variable: string): boolean {
  const value = (given(variable) ?? "false").toLowerCase();
  if (value !== "true" && value !== "false") throw new UsageError(`${variable} must be true or false`);
  return value === "true";
}
