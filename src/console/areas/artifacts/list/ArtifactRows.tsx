import { Ago } from "../../../lib/time/Time.tsx";
import { artifactName, sizeOf, sizeWords, typeOf } from "../artifact-row.ts";
import { ArtifactLink } from "./ArtifactLink.tsx";
import { AgentName, type ListProps } from "./ArtifactTable.tsx";
import { Sign } from "./Sign.tsx";

/** Artifacts on phones: name and size, then where it came from and when. Each row is a link to its page. */
export function ArtifactRows({ files, current, agents, conversations, hasAgents }: ListProps) {
  return (
    <ul aria-label="Artifacts" className="border-t">
      {files.map(({ newest: row, count }) => (
        <li
          key={row.id}
          data-artifact={row.id}
          className="relative flex items-start gap-3 border-b px-edge-left py-2 [content-visibility:auto] [contain-intrinsic-size:auto_53px]"
        >
          <Sign type={typeOf(row)} className="mt-1" />
          <span className="min-w-0 flex-1">
            <span className="flex items-baseline gap-3">
              <ArtifactLink
                row={row}
                className={
                  row.id === current
                    ? "focus-inset min-w-0 flex-1 truncate font-medium text-accent after:absolute after:inset-0"
                    : "focus-inset min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
                }
              >
                <bdi>{artifactName(row)}</bdi>
              </ArtifactLink>
              <span className="text-muted tabular-nums">{sizeWords(sizeOf(row))}</span>
            </span>
            <span className="flex items-baseline gap-3 text-muted text-secondary">
              <span className="min-w-0 flex-1 truncate">
                {hasAgents ? (
                  <AgentName id={row.agent_id} names={agents} />
                ) : (
                  (conversations.get(row.session_id ?? "") ?? typeOf(row))
                )}
                {count > 1 && `, ${count} versions`}
              </span>
              <Ago at={row.created_at} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
