import ExternalLinkIcon from "lucide-react/icons/external-link";
import { useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { ExternalLink } from "../../components/markdown/ExternalLink.tsx";
import { safeUrl } from "../../components/markdown/links.ts";
import { failureParts, type ServerIn, serverName } from "../../components/mcp/servers.ts";
import { Ago } from "../../components/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { ConnectionState } from "./ConnectionState.tsx";
import type { useConnect } from "./useConnect.ts";

type Props = {
  /** "You", or the team's name. */
  who: string;
  teamId: string | null;
  server: ServerIn | null;
  connect: ReturnType<typeof useConnect>;
};

/** One side of a server: the person's connection, or the team's, how old that knowledge is, and the way to change it. */
export function ConnectionSide({ who, teamId, server, connect }: Props) {
  return (
    <div className="min-w-0 flex-1 px-edge-left py-3.5 first:border-r">
      <p className="truncate text-muted text-secondary">{who}</p>
      <p className="mt-1">
        <ConnectionState server={server} />
      </p>
      {server && (
        <>
          <Acts teamId={teamId} server={server} connect={connect} who={who} />
          <Knowledge server={server} />
        </>
      )}
    </div>
  );
}

function Acts({ who, teamId, server, connect }: Props & { server: ServerIn }) {
  const [isAsking, setAsking] = useState(false);
  const { connection } = server;
  if (connection?.auth === "none") return <p className="mt-1 text-muted text-secondary">needs no sign-in</p>;
  if (connection?.auth === "operator")
    return (
      <p className="mt-1 text-muted text-secondary">
        It is reached with the operator's credentials, for everybody.
      </p>
    );
  const owner = { server_id: server.server_id, team_id: teamId };
  const { starting } = connect;
  const isKnown = server.status === "connected" || Boolean(connection?.signed_in_at);
  const words = isKnown ? "Sign in again" : "Connect";
  const url = safeUrl(server.service_auth_url);
  return (
    <div className="mt-2 flex flex-wrap gap-1.5">
      {connect.canStart ? (
        <Button
          size="small"
          loading={starting?.server_id === owner.server_id && starting.team_id === owner.team_id}
          onClick={() => connect.start(owner)}
        >
          {words}
        </Button>
      ) : url ? (
        <ExternalLink href={url.href} className={buttonClass("plain", "small")}>
          {words} <ExternalLinkIcon />
        </ExternalLink>
      ) : (
        <span className="text-muted text-secondary">The service gave no address to sign in at.</span>
      )}
      {connect.canStart && isKnown && (
        <Button size="small" variant="quiet" onClick={() => setAsking(true)}>
          Disconnect…
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => {
          setAsking(isOpen);
          if (!isOpen) connect.disconnect.reset();
        }}
        title={`Disconnect ${serverName(server)} for ${teamId === null ? "yourself" : `team ${who}`}?`}
        consequence={`The service forgets the sign-in, and gives the permission back where the server takes it. What runs as ${
          teamId === null ? "you" : "the team"
        } can no longer call this server; calls that are under way may still end. Signing in again brings it back.`}
        action="Disconnect"
        isPending={connect.disconnect.isPending}
        error={connect.disconnect.error && describeError(connect.disconnect.error).what}
        onConfirm={() => connect.disconnect.mutate(owner, { onSuccess: () => setAsking(false) })}
      />
    </div>
  );
}

/** How old the knowledge is that the state rests on. */
function Knowledge({ server }: { server: ServerIn }) {
  const { connection } = server;
  if (!connection) return null;
  const { failure, failed_at, succeeded_at, signed_in_at } = connection;
  return (
    <p className="mt-2 break-words text-muted text-secondary">
      {failure && (
        <span className="block text-state-failed-fg">
          {failureParts(failure).sentence} {failed_at && <Ago at={failed_at} />}
        </span>
      )}
      {succeeded_at ? (
        <>
          last answered <Ago at={succeeded_at} />
        </>
      ) : failure ? (
        "never answered"
      ) : (
        "not asked yet"
      )}
      {signed_in_at && (
        <>
          , signed in <Ago at={signed_in_at} />
        </>
      )}
    </p>
  );
}
