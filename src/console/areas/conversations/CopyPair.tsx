import { Link } from "@tanstack/react-router";
import type { Received } from "../../../contract/define.ts";
import type { Session } from "../../../contract/sessions.ts";
import { useCan } from "../../lib/api.tsx";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { linkClass } from "../../ui/textClass.ts";

type Props = { of: Received<Session>["copy_of"]; copies: Received<Session>["copies"] };

/** So many are named; the rest is counted. */
const named = 3;

/** The conversation that this one is a copy of, and its copies: each leads to the other. */
export function CopyPair({ of, copies }: Props) {
  const can = useCan("conversation_copy");
  const later = (copies ?? []).flatMap((one) => (one?.id && one.agent_id ? [{ ...one, id: one.id }] : []));
  if (!can || (!of && later.length === 0)) return null;
  return (
    <section
      aria-label="Related conversations"
      className="flex shrink-0 flex-col gap-0.5 border-b py-2 pr-edge-right pl-edge-left text-muted text-secondary"
    >
      {of && <Origin of={of} />}
      {later.slice(0, named).map((one) => (
        <p key={one.id}>
          {`Copied from before turn ${(one.turns ?? 0) + 1}: `}
          <ConversationLink agentId={one.agent_id ?? ""} id={one.id} name={one.name} />{" "}
          <Ago at={one.created_at} />
        </p>
      ))}
      {later.length > named && <p>and {counted(later.length - named, "earlier copy", "earlier copies")}</p>}
    </section>
  );
}

function Origin({ of: { turns, session, message_id: message } }: { of: NonNullable<Props["of"]> }) {
  const taken = turns ? `; ${counted(turns, "turn")} taken over, nothing run again` : "";
  if (!session?.id || !session.agent_id)
    return <p>Copy of a conversation that was deleted, or that you have no access to{taken}</p>;
  return (
    <p>
      Copy of{" "}
      <ConversationLink
        agentId={session.agent_id}
        id={session.id}
        name={session.name}
        part={message ? `${message}.text` : undefined}
      />
      , from before turn {(turns ?? 0) + 1}
      {taken}
    </p>
  );
}

type LinkProps = { agentId: string; id: string; name: string | null | undefined; part?: string | undefined };

function ConversationLink({ agentId, id, name, part }: LinkProps) {
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: id }}
      search={part === undefined ? {} : { part }}
      className={linkClass}
    >
      <bdi>{name ? shownName(name) : "Untitled conversation"}</bdi>
    </Link>
  );
}
