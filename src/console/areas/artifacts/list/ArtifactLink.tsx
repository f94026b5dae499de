import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ArtifactIn } from "../queries.ts";

type Props = {
  row: Pick<ArtifactIn, "id" | "agent_id">;
  /** The number of a version; the newest without it. */
  version?: number | undefined;
  tab?: "changes" | "versions" | "raw";
  className?: string;
  title?: string;
  children: ReactNode;
};

/** A link to the page of an artifact. It names the agent too: the core lists artifacts by agent alone (§4.8). */
export function ArtifactLink({ row, version, tab, children, ...rest }: Props) {
  return (
    <Link
      {...rest}
      to="/artifacts/$artifactId"
      params={{ artifactId: row.id }}
      search={{
        ...(row.agent_id && { agent: row.agent_id }),
        ...(version !== undefined && { version: String(version) }),
        ...(tab !== undefined && { tab }),
      }}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </Link>
  );
}
