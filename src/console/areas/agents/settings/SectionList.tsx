import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCan } from "../../../lib/api/useCan.ts";
import { cx } from "../../../ui/cx.ts";
import { NativeSelect } from "../../../ui/NativeSelect.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import type { AgentForm } from "./form.ts";
import { goToSection } from "./Section.tsx";
import { type SectionLine, sectionLines } from "./sections.ts";

/** The sections with what is edited in each; a click leads there. On phones it is a select. */
export function SectionList({
  form,
  agentId,
  current,
}: {
  form: AgentForm;
  agentId: string;
  current: string;
}) {
  const hasEvaluations = useCan("evaluation_config_edit");
  const { own, metadata } = useMemo(() => sectionLines(form, hasEvaluations), [form, hasEvaluations]);
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
          <span className="text-secondary text-state-failed-fg">not readable</span>
        ) : (
          line.edited !== null && <span className="text-accent text-secondary">{line.edited}</span>
        )}
      </Link>
    </li>
  );
  const words = (line: SectionLine) =>
    line.edited === null ? line.title : `${line.title}, ${line.isBroken ? "not readable" : line.edited}`;
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
                params={{ agentId }}
                className="focus-inset flex h-control items-center gap-2 pr-4 pl-edge-left hover:bg-surface-hover"
              >
                <span className="min-w-0 flex-1">Evaluation</span>{" "}
                <span className="text-muted text-secondary">own page</span>
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
