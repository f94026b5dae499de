import * as z from "zod/mini";
import type { endpoints } from "../../contract/endpoints.ts";
import type { EvaluationConfig } from "../../contract/evaluations.ts";
import { rubricFields } from "../../contract/rubric.ts";
import type { Request } from "../areas/handler.ts";
import type { Ids } from "../context.ts";
import { isJsonObject, type JsonObject, toJsonValue } from "../json.ts";
import { ServiceError } from "../service-error.ts";

/** What a session is judged by: the parts that an agent's configuration and a saved rubric share (§2.6). */
const rubric = z.object(rubricFields);
export type Rubric = z.output<typeof rubric>;

/** A change of one, as a request brings it. */
export type RubricChange = NonNullable<Request<(typeof endpoints)["createEvaluation"]>["body"]["config"]>;

/** The rubric of what was never configured: it judges nothing. */
const emptyRubric: Rubric = {
  model_name: null,
  frequency: "debounced",
  language: "auto",
  include_auto_tags: false,
  interaction_types: [],
  criteria: [],
  tags: [],
  data_points: [],
  sentiment: null,
};

/** A stored rubric; a field that is missing or that an older release wrote in another shape has its default. */
export function readRubric(stored: unknown): Rubric {
  const fields = isJsonObject(stored) ? stored : {};
  const whole = rubric.safeParse({ ...emptyRubric, ...fields });
  if (whole.success) return whole.data;
  const bad = new Set(whole.error.issues.map(({ path }) => String(path[0])));
  const kept = Object.entries(fields).filter(([name]) => !bad.has(name));
  return rubric.parse({ ...emptyRubric, ...Object.fromEntries(kept) });
}

/** Whether there is anything that it looks for. */
export function hasChecks({ criteria, tags, data_points, sentiment, ...rest }: Rubric): boolean {
  return (
    criteria.length + tags.length + data_points.length > 0 ||
    rest.include_auto_tags ||
    sentiment?.enabled === true
  );
}

/** Whether it is for sessions of this type. */
export function appliesTo({ interaction_types }: Rubric, type: string): boolean {
  return interaction_types.length === 0 || interaction_types.includes(type);
}

/**
 * A change of some fields: a given list replaces the whole list; null clears `model_name`, `frequency`, `language` and
 * `sentiment`, and equals absence elsewhere. Criteria and data points without an id get one.
 * @param within what the names of fields in errors begin with
 * @throws ServiceError `invalid_body` naming the field, where an id or a tag is there twice
 */
export function changeRubric(current: Rubric, change: RubricChange, ids: Ids, within = ""): Rubric {
  const { criteria, tags, data_points: points, sentiment } = change;
  const changed: Rubric = {
    model_name: given(change.model_name, current.model_name),
    frequency: given(change.frequency, current.frequency),
    language: given(change.language, current.language),
    include_auto_tags: change.include_auto_tags ?? current.include_auto_tags,
    interaction_types: change.interaction_types ?? current.interaction_types,
    criteria:
      criteria?.map(({ id, name, prompt, type, priority }) => ({
        ...{ id: id ?? ids.make("crit"), name, prompt },
        ...{ type: type ?? "other", priority: priority ?? "needs_review" },
      })) ?? current.criteria,
    tags: tags?.map(({ name, description }) => ({ name, description: description ?? "" })) ?? current.tags,
    data_points:
      points?.map(({ id, name, data_type, description }) => ({
        ...{ id: id ?? ids.make("data"), name, data_type, description: description ?? "" },
      })) ?? current.data_points,
    sentiment: changedSentiment(current.sentiment, sentiment),
  };
  refuseTwice(`${within}criteria`, "id", changed.criteria);
  refuseTwice(`${within}data_points`, "id", changed.data_points);
  refuseTwice(`${within}tags`, "name", changed.tags);
  return changed;
}

/** A rubric as `jsonb` keeps it. */
export function storeRubric(given: Rubric): JsonObject {
  const json = toJsonValue(given);
  return isJsonObject(json) ? json : {};
}

function given<T>(value: T | null | undefined, current: T): T | null {
  return value === undefined ? current : value;
}

function changedSentiment(
  current: EvaluationConfig["sentiment"],
  change: RubricChange["sentiment"],
): EvaluationConfig["sentiment"] {
  if (change === undefined) return current;
  if (change === null) return null;
  return {
    enabled: change.enabled ?? current?.enabled ?? true,
    affects_grade: change.affects_grade ?? current?.affects_grade ?? false,
    description: change.description ?? current?.description ?? "",
  };
}

function refuseTwice<K extends string>(list: string, key: K, items: readonly Record<K, string>[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const param = `${list}.${index}.${key}`;
    if (seen.has(item[key])) {
      throw new ServiceError("invalid_body", { message: `${param}: "${item[key]}" is there twice.`, param });
    }
    seen.add(item[key]);
  }
}
