import { Link } from "@tanstack/react-router";
import type { Received } from "../../../contract/define.ts";
import type { Message } from "../../../contract/messages.ts";
import { getSession } from "../../../contract/sessions.ts";
import { readOptions } from "../../api/read.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { linkClass } from "../../ui/textClass.ts";
import { Part } from "./QuestionFacts.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { agentName } from "./questions.ts";

type MessageIn = Received<Message>;

/** So many messages are shown, of each so many characters: the rest is in the conversation. */
const shown = 4;
const characters = 600;

/** What was said before the call, the newest last; nothing where the person may not read it. */
export function ConversationSoFar({ question }: { question: QuestionDetailsIn }) {
  const api = useApi();
  const { session, agent, message_id: messageId } = question;
  const isReadable = Boolean(session?.id) && session?.name != null;
  const enabled = useCan("live_messages") && isReadable;
  const id = session?.id ?? "";
  const read = useRead({
    ...readOptions(api, getSession, { params: { session_id: id } }, { staleTime: 30_000 }),
    enabled,
  });
  const all = (read.data?.data.session?.messages ?? []) as readonly (MessageIn | null)[];
  const end = all.findIndex((one) => one?.id === messageId);
  const before = (end === -1 ? all : all.slice(0, end + 1)).flatMap((one) => (one ? [one] : []));
  const last = before.slice(-shown);
  if (!enabled || last.length === 0) return null;
  return (
    <Part
      title="Conversation so far"
      aside={
        agent?.id && (
          <Link
            to="/agents/$agentId/conversations/$interactionId"
            params={{ agentId: agent.id, interactionId: id }}
            className={linkClass}
          >
            {before.length > shown ? `All ${before.length} messages` : "Open"}
          </Link>
        )
      }
    >
      <dl className="flex max-w-text flex-col gap-2">
        {last.map((message, index) => {
          const { words, calls } = saidIn(message, question.part_id ?? null);
          if (words === "" && calls === "") return null;
          return (
            <div key={message.id ?? index}>
              <dt className="text-muted text-secondary">
                <bdi>{message.role === "user" ? "Person" : shownName(agentName(question))}</bdi>
              </dt>
              <dd className="break-words">
                {words !== "" && <PlainText text={words} />}
                {calls !== "" && <p className="text-muted text-secondary">{calls}</p>}
              </dd>
            </div>
          );
        })}
      </dl>
    </Part>
  );
}

/** What a message says, and which calls it made before the one that is asked about. */
function saidIn({ content, parts }: MessageIn, asked: string | null): { words: string; calls: string } {
  const all = (parts ?? []).flatMap((part) => (part ? [part] : []));
  const at = all.findIndex((part) => part.id === asked);
  const before = at === -1 ? all : all.slice(0, at);
  const texts = before.flatMap((part) => (part.type === "text" && part.text ? [part.text] : []));
  const whole = texts.length > 0 ? texts.join("\n\n") : (content ?? "");
  const names = before.flatMap((part) =>
    part.type === "tool_invocation" ? [shownName(part.toolName ?? "a tool")] : [],
  );
  return {
    words: whole.length > characters ? `${whole.slice(0, characters)}…` : whole,
    calls: names.length === 0 ? "" : `Called ${names.slice(0, 10).join(", ")}${names.length > 10 ? "…" : ""}`,
  };
}
