import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCan } from "../../../lib/api.tsx";
import { counted } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { NativeSelect } from "../../../ui/Field.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import type { FieldPath } from "../agent/agent-draft.ts";
import { identify, toolLines } from "../agent/tools.ts";
import { useApprovalsForm } from "./ApprovalsSection.tsx";
import { type AgentForm, holdsText } from "./form.ts";
import { sectionsOf, sectionTitle } from "./metadata.ts";
import { chunksOfMine, marksOf } from "./PromptSection.tsx";
import { goToSection } from "./Section.tsx";

/** The sections with what is edited in each; a click leads there. On phones it is a select. */
export function SectionList({ form, current }: { form: AgentForm; current: string }) {
  const hasEvaluations = useCan("evaluation_config_edit");
  const hasApprovals = useApprovalsForm(form.mine.metadata) !== null;
  const { own, metadata } = useMemo(
    () => sectionLines(form, { hasEvaluations, hasApprovals }),
    [form, hasEvaluations, hasApprovals],
  );
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const link = (line: SectionLine) => (
    <li key={line.id}>
      <Link
        from="/agents/$agentId/settings"
        to="."
        search={(old) => ({ ...old, section: line.id })}
        replace
        onClick={() => goToSection(line.id)}
        {...(line.id === current && { "aria-current": "true" as const })}
        className={cx(
          "focus-inset flex h-control items-center gap-2 pr-4 pl-edge-left",
          line.id === current
            ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
            : "hover:bg-surface-hover",
        )}
      >
        <span className="min-w-0 flex-1 truncate">{line.title}</span>{" "}
        {line.isAlso && (
          <span className="size-2 rounded-[2px] bg-state-stopped-mark" title="changed by both">
            <VisuallyHidden>changed by both</VisuallyHidden>
          </span>
        )}{" "}
        {line.count !== null && line.count > 0 && (
          <span className="text-muted text-secondary tabular-nums">{line.count}</span>
        )}{" "}
        {line.isBroken ? (
          <span className="text-secondary text-state-failed-fg">not valid</span>
        ) : (
          line.edited !== null && <span className="text-accent text-secondary">{line.edited}</span>
        )}
      </Link>
    </li>
  );
  const words = (line: SectionLine) =>
    line.edited === null ? line.title : `${line.title}, ${line.isBroken ? "not valid" : line.edited}`;
  return (
    <nav aria-label="Sections" className="md:py-3">
      <div className="max-md:hidden">
        <ul>{own.map(link)}</ul>
        <p className="mt-3 mb-0.5 pl-edge-left text-muted text-secondary">Metadata</p>
        <ul>
          {metadata.map(link)}
          {hasEvaluations && (
            <li>
              <Link
                to="/agents/$agentId/evaluations"
                params={{ agentId: form.agentId }}
                className="focus-inset flex h-control items-center gap-2 pr-4 pl-edge-left hover:bg-surface-hover"
              >
                <span className="min-w-0 flex-1">Evaluation</span>{" "}
                <span className="text-muted text-secondary">separate page</span>
              </Link>
            </li>
          )}
        </ul>
      </div>
      <div className="border-b py-2 pr-edge-right pl-edge-left md:hidden">
        <NativeSelect
          aria-label="Go to a section"
          value={current}
          onChange={(event) =>
            void navigate({ search: (old) => ({ ...old, section: event.target.value }), replace: true })
          }
        >
          {own.map((line) => (
            <option key={line.id} value={line.id}>
              {words(line)}
            </option>
          ))}
          <optgroup label="Metadata">
            {metadata.map((line) => (
              <option key={line.id} value={line.id}>
                {words(line)}
              </option>
            ))}
          </optgroup>
        </NativeSelect>
      </div>
    </nav>
  );
}

/** One line of the list of sections. */
interface SectionLine {
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

interface Offered {
  /** The evaluation has a page of its own. */
  readonly hasEvaluations: boolean;
  /** Approvals have a form, after the tools that they are about. */
  readonly hasApprovals: boolean;
}

/** All sections of the settings: those of the agent itself, and those of its metadata. */
function sectionLines(
  form: AgentForm,
  { hasEvaluations, hasApprovals }: Offered,
): { own: readonly SectionLine[]; metadata: readonly SectionLine[] } {
  const { mine, base, changed, theirs } = form;
  const line = (
    id: string,
    title: string,
    fields: readonly FieldPath[],
    more: Partial<SectionLine> = {},
  ) => ({
    id,
    title,
    count: null,
    edited: fields.some((field) => changed.has(field) || holdsText(form, field)) ? "edited" : null,
    isAlso: fields.some((field) => theirs.has(field)),
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
      ...(hasApprovals ? [line("metadata.approvals", "Approvals", ["metadata.approvals"])] : []),
      line("resources", "Resources", ["resources"], { count: identify(mine.resources).length }),
    ],
    metadata: sectionsOf(hasEvaluations, base.metadata, mine.metadata)
      .filter((section) => section !== "approvals" || !hasApprovals)
      .map((section) => line(`metadata.${section}`, sectionTitle(section), [`metadata.${section}`])),
  };
}

function promptEdit({ base, mine, newer, changed }: AgentForm): string | null {
  if (!changed.has("system_prompt")) return null;
  const marks = marksOf(chunksOfMine(base.system_prompt, mine.system_prompt, newer?.draft.system_prompt));
  const lines = marks.edited.length + marks.also.length;
  return counted(lines, "line");
}
