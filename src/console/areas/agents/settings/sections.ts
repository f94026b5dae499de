import { identify } from "../agent/tool-identity.ts";
import type { AgentForm } from "./form.ts";
import { sectionsOf, sectionTitle } from "./metadata.ts";
import { chunksOfMine, marksOf } from "./prompt-marks.ts";
import { holdsText } from "./Section.tsx";
import { toolLines } from "./tools.ts";

/** One line of the list of sections. */
export interface SectionLine {
  readonly id: string;
  readonly title: string;
  /** How many there are, where that says something. */
  readonly count: number | null;
  /** What is edited, in a word or two; null where nothing is. */
  readonly edited: string | null;
  /** Another person changed it since. */
  readonly isAlso: boolean;
  /** It holds something that cannot be saved as it stands. */
  readonly isBroken: boolean;
}

/**
 * All sections of the settings: those of the agent itself, and those of its metadata.
 * @param hasEvaluations the evaluation has a page of its own
 */
export function sectionLines(
  form: AgentForm,
  hasEvaluations: boolean,
): {
  own: readonly SectionLine[];
  metadata: readonly SectionLine[];
} {
  const { mine, base, changed, theirs } = form;
  const line = (id: string, title: string, fields: readonly string[], more: Partial<SectionLine> = {}) => ({
    id,
    title,
    count: null,
    edited: fields.some((field) => changed.has(field as never) || holdsText(form, field)) ? "edited" : null,
    isAlso: fields.some((field) => theirs.has(field as never)),
    isBroken: fields.some((field) => holdsText(form, field)),
    ...more,
  });
  const toolEdits = toolLines(base.tools, mine.tools).filter(({ mark }) => mark !== null).length;
  return {
    own: [
      line("name", "Name and description", ["name", "description"]),
      line("prompt", "System prompt", ["system_prompt"], { edited: promptEdit(form) }),
      line("model", "Model", ["model_name"]),
      line("tools", "Tools", ["tools"], {
        count: mine.tools.length,
        edited: !changed.has("tools") ? null : toolEdits === 0 ? "moved" : `${toolEdits} edited`,
      }),
      line("resources", "Resources", ["resources"], { count: identify(mine.resources).length }),
    ],
    metadata: sectionsOf(hasEvaluations, base.metadata, mine.metadata).map((section) =>
      line(`metadata.${section}`, sectionTitle(section), [`metadata.${section}`]),
    ),
  };
}

function promptEdit({ base, mine, newer, changed }: AgentForm): string | null {
  if (!changed.has("system_prompt")) return null;
  const marks = marksOf(chunksOfMine(base.system_prompt, mine.system_prompt, newer?.draft.system_prompt));
  const lines = marks.edited.length + marks.also.length;
  return `${lines} ${lines === 1 ? "line" : "lines"}`;
}
