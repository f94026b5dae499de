import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useEffectEvent, useRef } from "react";
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  type UseFormReturn,
  useForm as useHookForm,
} from "react-hook-form";
import * as z from "zod/mini";
import { ConsoleError } from "../../api/errors.ts";

/** What is wrong with one field, by its path: `["criteria", 0, "name"]`. */
interface Wrong {
  readonly path: PropertyKey[];
  readonly message: string;
}

/**
 * What a form may hold, by the contract's own schema of the body that it becomes. A word that the contract does not know
 * is no fault: a newer service may have sent it (C-02), and judges it. Blanks alone count as nothing.
 * @param words what is said of a field that is empty or has the wrong form, by its path without indexes: `criteria.name`
 */
export function rulesOf(schema: z.ZodMiniType, words: Readonly<Record<string, string>>) {
  return (values: unknown): readonly Wrong[] => {
    const { error } = z.safeParse(schema, withoutBlanks(values));
    return (error?.issues ?? []).flatMap(({ code, path, message }) => {
      if (code === "invalid_value") return [];
      const own =
        code === "too_small" || code === "invalid_format"
          ? words[path.filter((part) => typeof part === "string").join(".")]
          : undefined;
      return [{ path, message: own ?? (code === "custom" ? message : `It ${message}.`) }];
    });
  };
}
export type Rules = ReturnType<typeof rulesOf>;

const withoutBlanks = (values: unknown): unknown =>
  JSON.parse(JSON.stringify(values), (_, value) =>
    typeof value === "string" && value.trim() === "" ? "" : value,
  );

function resolverOf<V extends FieldValues>(rules: Rules): Resolver<V> {
  const validate = (given: unknown) => {
    const issues = rules(given);
    // What was typed is sent by the form's own words for it; nothing is made of it here.
    return issues.length === 0 ? { value: given as V } : { issues };
  };
  return standardSchemaResolver<V, unknown, V>({
    "~standard": { version: 1, vendor: "wheelhouse", validate },
  });
}

/**
 * A form whose every part is checked with each change, so that a part that depends on another one is too.
 * @param values what it shows; when they change from elsewhere (what was kept became known), it shows them then
 * @param onEdit is told of each change that a person makes
 */
export function useForm<V extends FieldValues>(rules: Rules, values: V, onEdit?: (values: V) => void) {
  const form = useHookForm<V>({ resolver: resolverOf<V>(rules), defaultValues: values as DefaultValues<V> });
  const given = JSON.stringify(values);
  const shown = useRef(given);
  const changed = useEffectEvent((edited: V) => {
    const now = JSON.stringify(edited);
    if (now === shown.current) return;
    shown.current = now;
    onEdit?.(edited);
    void form.trigger();
  });
  const follow = useEffectEvent((now: string) => {
    if (now !== shown.current) {
      shown.current = now;
      form.reset(values);
    }
    void form.trigger();
  });
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: (now) => changed(now.values) }),
    [form],
  );
  useEffect(() => follow(given), [given]);
  return { form };
}

/**
 * Puts a refusal to the field that the service names in it (`config.criteria.0.name`), where the form has that field.
 * It stands there until something is changed.
 */
export function showRefusal<V extends FieldValues>(form: UseFormReturn<V>, error: unknown): void {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return;
  const { param, message } = error.failure;
  const name = param?.replaceAll(/\[(\d+)\]/g, ".$1").replace(/^(body\.)?(config\.)?/, "") as
    | FieldPath<V>
    | undefined;
  if (name === undefined || get(form.getValues(), name) === undefined) return;
  form.setError(name, { type: "server", message: message ?? "The service does not accept it." });
  // In a moment: a form that is being sent takes no focus.
  form.setFocus(name);
}
