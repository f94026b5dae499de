import type { AgentDraft, DraftField, FieldPath } from "../agent/agent-draft.ts";
import { isFormSection } from "./metadata.ts";

/** What every field of the settings gets: the values, what is edited, and the way to change them. */
export interface AgentForm {
  /** As it was when the editing began. */
  readonly base: AgentDraft;
  readonly baseVersion: number | null;
  readonly mine: AgentDraft;
  /** What another person saved since, and its version; null where nobody did. */
  readonly newer: { readonly draft: AgentDraft; readonly version: number | null } | null;
  /** Fields that a save would change. */
  readonly changed: ReadonlySet<FieldPath>;
  /** Fields that another person changed since. */
  readonly theirs: ReadonlySet<FieldPath>;
  /** Fields that came in a form that cannot be sent back. */
  readonly unread: ReadonlySet<DraftField>;
  /** What was typed and cannot be read yet, by the path of its field. */
  readonly texts: Readonly<Record<string, string>>;
  /** Why nothing can be changed; undefined where it can. */
  readonly offReason: string | undefined;
  /** Changes fields. `path`: of the one that is typed, which can be read now. */
  write(part: Partial<AgentDraft>, path?: string): void;
  /** Keeps what is typed at a path and cannot be read yet. */
  hold(path: string, text: string): void;
}

/** Why one field cannot be changed; undefined where it can. */
export function offReasonOf(form: AgentForm, field: DraftField): string | undefined {
  if (form.offReason !== undefined) return form.offReason;
  return form.unread.has(field) ? "The service sent it in an unknown format" : undefined;
}

/** The attributes of a control that can be read and copied, and changed only where nothing forbids it. */
export function guard(reason: string | undefined) {
  return reason === undefined ? {} : ({ readOnly: true, "aria-disabled": true, title: reason } as const);
}

/** A section of metadata changed: the section taken out where nothing is left that was not there before. */
export function withSection(form: AgentForm, section: string, value: unknown): Partial<AgentDraft> {
  const { [section]: _, ...others } = form.mine.metadata;
  // A section without a form was added by its name, and stays until it is taken out.
  const isGone =
    isFormSection(section) && isEmptyObject(value) && !Object.hasOwn(form.base.metadata, section);
  if (isGone) return { metadata: others };
  // In its place: a section does not move because it is edited.
  const isNew = !Object.hasOwn(form.mine.metadata, section);
  return {
    metadata: isNew
      ? { ...others, [section]: value }
      : Object.fromEntries(
          Object.entries(form.mine.metadata).map(([name, was]) => [name, name === section ? value : was]),
        ),
  };
}

/** A section that was added here taken out again. */
export function withoutSection(form: AgentForm, section: string): Partial<AgentDraft> {
  const { [section]: _, ...others } = form.mine.metadata;
  return { metadata: others };
}

function isEmptyObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && Object.keys(value).length === 0;
}
