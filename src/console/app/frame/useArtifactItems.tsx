import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import File from "lucide-react/icons/file";
import { artifactQueries, readArtifacts } from "../../areas/artifacts/queries.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import type { PaletteItem } from "./Palette.tsx";

/** What the palette has of artifacts: the newest, where the service lists those of all agents. */
export function useArtifactItems(): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const read = useQuery({
    ...artifactQueries.all(api, { sort_order: "newest" }),
    enabled: useCan("artifacts"),
  });
  return readArtifacts(read.data?.data).map((row) => ({
    id: `artifact ${row.id}`,
    group: "Artifacts",
    icon: <File />,
    name: shownName(row.filename || row.id),
    detail: row.id,
    aside: <Ago at={row.created_at} />,
    run: () =>
      void navigate({
        to: "/artifacts/$artifactId",
        params: { artifactId: row.id },
        search: row.agent_id ? { agent: row.agent_id } : {},
      }),
  }));
}
