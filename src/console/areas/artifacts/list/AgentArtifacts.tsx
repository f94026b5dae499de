import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ArtifactScope } from "../queries.ts";
import { ArtifactList } from "./ArtifactList.tsx";
import { type ArtifactsSearch, readArtifactsSearch } from "./search.ts";
import { useArtifactList } from "./useArtifactList.ts";

/** The artifacts of one agent, in a tab of its page. */
export function AgentArtifacts({ agentId, search }: { agentId: string; search: ArtifactsSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const scope = useMemo((): ArtifactScope => ({ kind: "agent", agentId }), [agentId]);
  const list = useArtifactList(scope, search);
  return (
    <ArtifactList
      scope={scope}
      search={search}
      list={list}
      hasAgents={false}
      onChange={(part) =>
        void navigate({
          search: (old) => ({ tab: "artifacts", ...readArtifactsSearch({ ...old, ...part }) }),
          replace: true,
        })
      }
      onClear={() => void navigate({ search: { tab: "artifacts" } })}
      onOpen={(artifactId) =>
        void navigate({ to: "/artifacts/$artifactId", params: { artifactId }, search: { agent: agentId } })
      }
    />
  );
}
