import { Link } from "@tanstack/react-router";
import Files from "lucide-react/icons/files";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import type { ArtifactsFound } from "./find-artifacts.ts";
import { hitRowClass, MarkedExcerpt } from "./HitRow.tsx";
import { Group } from "./ResultGroup.tsx";

/** Artifacts whose names have it. */
export function ArtifactHits({ found }: { found: ArtifactsFound }) {
  const { rows, isCut } = found;
  return (
    <Group
      icon={<Files className="text-muted" />}
      name="Artifacts"
      count={counted(rows.length, "name")}
      remark={isCut && "there are more; the list of artifacts has them"}
    >
      {rows.map(({ row, name }) => (
        <li key={row.id}>
          <Link
            to="/artifacts/$artifactId"
            params={{ artifactId: row.id }}
            search={row.agent_id ? { agent: row.agent_id } : {}}
            data-hit=""
            className={hitRowClass}
          >
            <span className="truncate text-muted text-secondary leading-5">
              <Ago at={row.created_at} />
            </span>
            <span className="min-w-0 truncate font-medium">
              <MarkedExcerpt excerpt={name} />
            </span>
          </Link>
        </li>
      ))}
    </Group>
  );
}
