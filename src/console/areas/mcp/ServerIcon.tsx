import { useState } from "react";
import { mcpIconPath } from "../../../contract/mcp-connection.ts";
import { useCan } from "../../lib/api.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { cx } from "../../ui/cx.ts";
import { State } from "../../ui/State.tsx";
import { useSignedIn } from "../session/index.ts";
import { connectionWords, type ServerIn, serverName } from "./servers.ts";

/** The picture of a server by way of the service, raster alone; else its initials. Its own address is never opened (C-05). */
export function ServerIcon({ server, className }: { server: ServerIn; className?: string }) {
  const { connection } = useSignedIn();
  const isOffered = useCan("mcp_connections") && connection.kind === "own" && Boolean(server.icon_url);
  const [isBroken, setBroken] = useState(false);
  if (!isOffered || isBroken) return <Avatar name={serverName(server)} isGroup className={className ?? ""} />;
  return (
    <img
      src={mcpIconPath(server.server_id)}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
      className={cx("inline-block size-5 shrink-0 rounded-tag object-contain", className)}
    />
  );
}

type Props = {
  server: ServerIn | null;
  /** It is being asked just now. */
  isAsking?: boolean | undefined;
};

/** One connection in a cell; what is not available to this side says so. */
export function ConnectionState({ server, isAsking = false }: Props) {
  const words = connectionWords(server);
  if (words === null) return <span className="text-muted">not available</span>;
  if (isAsking) return <State tone="running" word="checking…" />;
  return <State tone={words.tone} word={words.word} />;
}
