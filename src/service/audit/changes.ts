import type { AuditObject } from "../../contract/audit.ts";

/** A field that is another one now. */
export interface Change {
  readonly field: string;
  /** Whether `before` and `after` are its values; else both are null. */
  readonly shown: boolean;
  readonly before: string | null;
  readonly after: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Of which fields the values are written down: names, choices and references. Whatever else a field may hold (prompts,
 * headers, passwords, files) is told of by the field's name alone.
 */
const shownFields: Readonly<Partial<Record<AuditObject, readonly string[]>>> = {
  agent: ["name", "model_name", "is_active", "team_id", "owner_id", "enabled"],
  artifact: ["organization_role", "link_mode", "link_role"],
  conversation: ["kept"],
  evaluation: ["name", "enabled", "team_id"],
  key: ["name", "expires_in_days"],
  mcp_server: ["tool", "tools"],
  person: ["email", "first_name", "last_name", "plan", "role", "active"],
  program: ["name", "redirect_uris", "confidential", "scopes", "program", "reason", "token"],
  question: ["answer"],
  run: ["kept"],
  source: ["name", "scope", "status", "team_id", "files"],
  team: ["name", "plan", "retired"],
};

const mostOfValue = 200;

/**
 * Which fields differ, by name.
 * @param before null: it was made just now
 * @param after only these are compared; null: it is gone
 */
export function changesOf(kind: AuditObject, before: Fields | null, after: Fields | null): Change[] {
  const shown = shownFields[kind] ?? [];
  const fields = Object.keys(after ?? before ?? {});
  return fields.flatMap((field) => {
    const [was, is] = [fieldOf(before, field), fieldOf(after, field)];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return shown.includes(field)
      ? [shownChange(field, was, is)]
      : [{ field, shown: false, before: null, after: null }];
  });
}

/** What is empty is as good as nothing. */
function fieldOf(fields: Fields | null, field: string): unknown {
  const value = fields?.[field] ?? null;
  const isEmpty = typeof value === "object" && value !== null && !(value instanceof Date);
  return isEmpty && Object.keys(value).length === 0 ? null : value;
}

/** A change whose values are names, choices or numbers. */
export function shownChange(field: string, before: unknown, after: unknown): Change {
  return { field, shown: true, before: short(before), after: short(after) };
}

/** Of a list only how long it is: what is in it may be anything. */
function short(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return String(value.length);
  const text = value instanceof Date ? value.toISOString() : typeof value === "object" ? "" : String(value);
  return [...text.slice(0, 2 * mostOfValue)].slice(0, mostOfValue).join("");
}
