import ExternalLinkIcon from "lucide-react/icons/external-link";
import { useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { safeUrl } from "../../lib/markdown/links.ts";
import { ExternalLink } from "../../lib/markdown/Marked.tsx";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import type { Answered, Check, Checks, useConnect } from "./connections.ts";
import { ConnectionState } from "./ServerIcon.tsx";
import { failureParts, isUnasked, type ServerIn, serverName } from "./servers.ts";

type Props = {
  /** "You", the team's name, or everybody's. */
  who: string;
  teamId: string | null;
  server: ServerIn | null;
  connect: ReturnType<typeof useConnect>;
  checks: Checks;
};

/** One side of a server: the person's connection, or the team's, how old that knowledge is, and the ways to change it. */
export function ConnectionSide(props: Props) {
  const { who, teamId, server, checks } = props;
  const check = server ? checks.of({ server_id: server.server_id, team_id: teamId }) : undefined;
  return (
    <section aria-label={who} className="min-w-0 flex-1 border-r px-edge-left py-3.5 last:border-r-0">
      <h3 className="truncate font-normal text-muted text-secondary">{who}</h3>
      <p className="mt-1">
        <ConnectionState server={server} isAsking={check?.isAsking} />
      </p>
      {server && (
        <>
          <Actions {...props} server={server} isAsking={check?.isAsking ?? false} />
          <Knowledge server={server} check={check} />
        </>
      )}
    </section>
  );
}

/** Whose credentials it takes, where those are not the person's or the team's. */
const noSignIn: Readonly<Record<string, string>> = {
  none: "No sign-in needed",
  operator: "Uses shared credentials set by the operator.",
};

function Actions({
  who,
  teamId,
  server,
  connect,
  checks,
  isAsking,
}: Props & { server: ServerIn; isAsking: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const { connection } = server;
  const owner = { server_id: server.server_id, team_id: teamId };
  const { starting } = connect;
  const isKnown = server.status === "connected" || Boolean(connection?.signed_in_at);
  const label = isKnown ? "Sign in again" : "Connect";
  const url = safeUrl(server.service_auth_url);
  const without = noSignIn[connection?.auth ?? ""];
  const missing = useMissingRight(teamId, "edit");
  return (
    <div className="mt-2 flex flex-wrap gap-1.5">
      {without !== undefined ? (
        <p className="-mt-1 basis-full text-muted text-secondary">{without}</p>
      ) : missing !== undefined ? (
        <p className="-mt-1 basis-full text-muted text-secondary">
          {label}: {missing}.
        </p>
      ) : connect.canStart ? (
        <Button
          size="small"
          loading={starting?.server_id === owner.server_id && starting.team_id === owner.team_id}
          onClick={() => connect.start(owner, serverName(server))}
        >
          {label}
        </Button>
      ) : url ? (
        <ExternalLink href={url.href} className={buttonClass("plain", "small")}>
          {label} <ExternalLinkIcon />
        </ExternalLink>
      ) : (
        <span className="text-muted text-secondary">The service provides no sign-in address.</span>
      )}
      <Button size="small" loading={isAsking} onClick={() => void checks.check(owner)}>
        Check now
      </Button>
      {without === undefined && missing === undefined && connect.canStart && isKnown && (
        <Button size="small" variant="quiet" onClick={() => setConfirming(true)}>
          Disconnect…
        </Button>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => {
          if (connect.disconnect.isPending) return;
          setConfirming(false);
          connect.disconnect.reset();
        }}
        title={`Disconnect ${serverName(server)} for ${teamId === null ? "yourself" : `team ${who}`}?`}
        consequence={`The sign-in is deleted and revoked where the server supports it. Agents and flows running as ${teamId === null ? "you" : "the team"} can no longer call this server; calls in progress may still finish. Sign in again to reconnect.`}
        action="Disconnect"
        isPending={connect.disconnect.isPending}
        error={connect.disconnect.error && describeError(connect.disconnect.error).what}
        onConfirm={() => connect.disconnect.mutate(owner, { onSuccess: () => setConfirming(false) })}
      />
    </div>
  );
}

/** How old the knowledge is that the state rests on: what came of asking here, else what the service remembers. */
function Knowledge({ server, check }: { server: ServerIn; check: Check | undefined }) {
  const { connection } = server;
  const last = check?.last && !isOvertaken(server, check.last.answer) ? check.last : null;
  const words = last && answerWords(server, last.answer);
  const signedInAt = connection?.signed_in_at;
  return (
    <div className="mt-2 break-words text-muted text-secondary">
      {last ? (
        <p className={last.answer.type === "failed" ? "text-state-failed-fg" : undefined}>
          checked <Ago at={last.at} />: {words}
        </p>
      ) : (
        connection && <Remembered server={server} connection={connection} />
      )}
      {signedInAt && (
        <p>
          signed in <Ago at={signedInAt} />
        </p>
      )}
      {/* Without its age, which would be read aloud each second. */}
      <span role="status" className="sr-only">
        {words}
      </span>
    </div>
  );
}

/** Whether the catalogue has said something else since: it was used meanwhile, or the sign-in was given up. */
function isOvertaken({ status, connection }: ServerIn, { type }: Answered): boolean {
  const hasFailed = Boolean(connection?.failure);
  if (type === "answered") return hasFailed || status === "unauthenticated";
  return type !== "read" && connection != null && !hasFailed && status === "connected";
}

function answerWords({ connection }: ServerIn, answer: Answered): string {
  const failure = failureParts(connection?.failure ?? "").sentence;
  switch (answer.type) {
    case "answered":
      return `responded with ${counted(answer.tools, "tool")}`;
    case "sign-in":
      return failure || "sign-in required";
    case "failed":
      return failure || failureParts(describeError(answer.error).what).sentence;
    case "read":
      return "the list was refreshed; this service does not check servers";
  }
}

function Remembered({
  server,
  connection: { failure, failed_at, succeeded_at, revision },
}: {
  server: ServerIn;
  connection: NonNullable<ServerIn["connection"]>;
}) {
  // Its state says it already.
  if (isUnasked(server)) return null;
  return (
    <>
      {failure && (
        <p className="text-state-failed-fg">
          {failureParts(failure).sentence} {failed_at && <Ago at={failed_at} />}
        </p>
      )}
      <p>
        {succeeded_at ? (
          <>
            last responded <Ago at={succeeded_at} />
            {revision && <>, protocol {shownName(revision)}</>}
          </>
        ) : failure ? (
          "never responded"
        ) : (
          "not checked yet"
        )}
      </p>
    </>
  );
}
