import { z } from "zod";
import type { EvaluationResult } from "../../contract/evaluations.ts";
import type { Criterion, DataPoint } from "../../contract/rubric.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Rubric } from "./rubric.ts";

/** What a model says of a session. */
export interface Judgement {
  readonly summary: string;
  readonly callSuccessful: "success" | "failure" | "unknown";
  readonly sentiment: "positive" | "neutral" | "negative" | null;
  readonly criteria: ReadonlyMap<
    string,
    { readonly result: "success" | "failure" | "unknown"; readonly rationale: string }
  >;
  readonly tags: readonly string[];
  readonly data: ReadonlyMap<string, EvaluationResult["data_results"][number]["value"]>;
}

/** What is asked of the model: the rubric without what code has decided. */
export interface JudgeQuestion {
  readonly rubric: Rubric;
  readonly criteria: readonly Criterion[];
}

const verdict = ["success", "failure", "unknown"] as const;
const mood = ["positive", "neutral", "negative"] as const;
const ownTags = 10;

/** The JSON Schema of the answer, in the strict form that providers enforce: all fields required, no others. */
export function answerSchema({ rubric, criteria }: JudgeQuestion): JsonObject {
  const text: JsonObject = { type: "string" };
  return strict({
    summary: text,
    call_successful: { type: "string", enum: verdict },
    ...(rubric.sentiment?.enabled === true ? { sentiment: { type: "string", enum: mood } } : {}),
    ...(criteria.length === 0
      ? {}
      : {
          criteria: list(
            strict({ id: oneOf(criteria), rationale: text, result: { type: "string", enum: verdict } }),
          ),
        }),
    ...(rubric.tags.length === 0
      ? {}
      : { tags: list({ type: "string", enum: rubric.tags.map(({ name }) => name) }) }),
    ...(rubric.include_auto_tags ? { own_tags: list(text) } : {}),
    ...(rubric.data_points.length === 0
      ? {}
      : {
          data: list(
            strict({
              id: oneOf(rubric.data_points),
              value: { type: ["string", "number", "integer", "boolean", "null"] },
            }),
          ),
        }),
  });
}

function strict(properties: { readonly [name: string]: JsonObject }): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

function oneOf(items: readonly { readonly id: string }[]): JsonObject {
  return { type: "string", enum: items.map(({ id }) => id) };
}

/**
 * Reads a model's answer. A fence or words around the object do no harm; anything that does not fit the question does.
 * @returns the judgement, or a sentence that tells the model what is wrong
 */
export function readJudgement(answer: string, asked: JudgeQuestion): Judgement | string {
  const json = objectIn(answer);
  if (json === undefined) return "It holds no JSON object.";
  const parsed = shapeFor(asked).safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join(".") || "The object"}: ${issue?.message ?? "is not valid"}.`;
  }
  const { criteria = [], data = [], tags = [], own_tags = [], ...rest } = parsed.data;
  const wrong =
    missing("criteria", asked.criteria, criteria) ?? missing("data", asked.rubric.data_points, data);
  if (wrong !== null) return wrong;
  const values = new Map(data.map(({ id, value }) => [id, value]));
  for (const point of asked.rubric.data_points) {
    if (!fits(point, values.get(point.id) ?? null))
      return `data: ${point.id} must be ${kindOf(point)} or null.`;
  }
  return {
    summary: rest.summary,
    callSuccessful: rest.call_successful,
    sentiment: rest.sentiment ?? null,
    criteria: new Map(criteria.map(({ id, result, rationale }) => [id, { result, rationale }])),
    tags: [
      ...new Set([
        ...tags,
        ...own_tags
          .map(tagName)
          .filter((tag) => tag !== "")
          .slice(0, ownTags),
      ]),
    ],
    data: values,
  };
}

function shapeFor({ rubric, criteria }: JudgeQuestion) {
  const tags = new Set(rubric.tags.map(({ name }) => name));
  const criterion = z.object({
    id: known(criteria),
    result: z.enum(verdict),
    rationale: z.string().transform((text) => text.slice(0, 4_000)),
  });
  const point = z.object({
    id: known(rubric.data_points),
    value: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]),
  });
  const mayLack = <S extends z.ZodType>(schema: S, asked: boolean) =>
    asked ? schema : schema.optional().catch(undefined);
  return z.object({
    summary: z.string().transform((text) => text.slice(0, 4_000)),
    call_successful: z.enum(verdict),
    sentiment: mayLack(z.enum(mood), rubric.sentiment?.enabled === true),
    criteria: mayLack(z.array(criterion).max(100), criteria.length > 0),
    tags: mayLack(z.array(z.string().refine((tag) => tags.has(tag), "is no tag of the list")), tags.size > 0),
    own_tags: mayLack(z.array(z.string()), rubric.include_auto_tags),
    data: mayLack(z.array(point).max(100), rubric.data_points.length > 0),
  });
}

function known(items: readonly { readonly id: string }[]) {
  const ids = new Set(items.map(({ id }) => id));
  return z.string().refine((id) => ids.has(id), "is no id of the list");
}

/** A sentence where one of the ids is missing or there twice. */
function missing(
  field: string,
  wanted: readonly { readonly id: string }[],
  got: readonly { readonly id: string }[],
): string | null {
  const ids = got.map(({ id }) => id);
  const lost = wanted.find(({ id }) => !ids.includes(id));
  if (lost !== undefined) return `${field}: ${lost.id} is missing.`;
  return new Set(ids).size === ids.length ? null : `${field}: an id is there twice.`;
}

function fits({ data_type: type }: DataPoint, value: string | number | boolean | null): boolean {
  if (value === null) return true;
  if (type === "integer") return Number.isSafeInteger(value);
  return type === "number" || type === "boolean" ? typeof value === type : typeof value === "string";
}

function kindOf({ data_type: type }: DataPoint): string {
  return type === "integer"
    ? "a whole number"
    : type === "number" || type === "boolean"
      ? `a ${type}`
      : "a text";
}

function tagName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60);
}

/** The outermost object of a text. */
function objectIn(text: string): JsonObject | undefined {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (from === -1 || to < from) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(from, to + 1));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
