import type { AgentDraft, DraftField, FieldPath } from "../agent/agent-draft.ts";
import { isFormSection, withKey } from "./metadata.ts";

/** What every field of the settings gets: the values, what is edited, and the way to change them. */
export interface AgentForm {
  readonly agentId: string;
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

/** The fields in which something is typed that cannot be read yet, metadata by section. */
export const heldFields = ({ texts }: Pick<AgentForm, "texts">): readonly string[] => [
  ...new Set(Object.keys(texts).map((path) => path.split(".").slice(0, 2).join("."))),
];

/** Whether something at a path, or below it, is typed and cannot be read yet. */
export const holdsText = ({ texts }: Pick<AgentForm, "texts">, path: string): boolean =>
  Object.keys(texts).some((one) => one === path || one.startsWith(`${path}.`));

/** The attributes of a control that can be read and copied, and changed only where nothing forbids it. */
export function guard(reason: string | undefined) {
  return reason === undefined ? {} : ({ readOnly: true, "aria-disabled": true, title: reason } as const);
}

/** A section of metadata changed: the section taken out where nothing is left that was not there before. */
export function withSection(form: AgentForm, section: string, value: unknown): Partial<AgentDraft> {
  // A section without a form was added by its name, and stays until it is taken out.
  const isGone =
    isFormSection(section) && isEmptyObject(value) && !Object.hasOwn(form.base.metadata, section);
  // Else it stays in its place: a section does not move because it is edited.
  return isGone ? withoutSection(form, section) : { metadata: { ...form.mine.metadata, [section]: value } };
}

/** A section that was added here taken out again. */
export const withoutSection = ({ mine }: AgentForm, section: string): Partial<AgentDraft> => ({
  metadata: withKey(mine.metadata, section, undefined),
});

function isEmptyObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && Object.keys(value).length === 0;
}
