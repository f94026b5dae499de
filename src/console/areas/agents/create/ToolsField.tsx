import { useId } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { ToolRow } from "../settings/ToolRow.tsx";
import { toolLines, withTool } from "../settings/tools.ts";
import type { Picked } from "../tools/picks.ts";
import { ToolPicker } from "../tools/ToolPicker.tsx";
import { useToolTargets } from "../tools/useToolTargets.ts";

type Props = Picked & { readonly onChange: (tools: AgentTool[]) => void };

/** What a new agent may use. Nothing is saved yet, so nothing is marked as edited. */
export function ToolsField({ base, mine, onChange }: Props) {
  const targets = useToolTargets();
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <header className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h2 id={titleId} className="font-medium">
          Tools
        </h2>
        <ToolPicker base={base} mine={mine} targets={targets} onChange={onChange} />
      </header>
      {mine.length === 0 ? (
        <p className="text-muted">None: the agent only answers.</p>
      ) : (
        <ul aria-label="Tools" className="border-t">
          {toolLines(mine, mine).map((line) => (
            <ToolRow
              key={line.identity}
              line={line}
              targets={targets}
              offReason={undefined}
              onTool={(tool) => onChange(withTool(mine, mine, line.identity, tool))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
