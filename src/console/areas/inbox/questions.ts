import { inboxStates } from "../../../contract/area-states.ts";
import type { Received } from "../../../contract/define.ts";
import type { InboxAnswer } from "../../../contract/inbox.ts";
import { type Description, describeState } from "../../../contract/states.ts";
import { shownName } from "../../lib/shownName.ts";
import { formatDuration } from "../../lib/time/format.ts";
import { counted, listed } from "../../lib/words.ts";
import type { PersonIn } from "../directory/index.ts";
import type { QuestionDetailsIn, QuestionIn } from "./queries.ts";

type AnswerIn = Received<InboxAnswer>;
/** Says who somebody is: `usePerson`. */
type PersonWords = (id: string | null | undefined, person?: PersonIn | null) => string;

/** How a question stands. */
export const describeQuestion = (question: Pick<QuestionIn, "state">): Description =>
  describeState(inboxStates, question.state);

/** What the tool is called; without a name as the model calls it. */
export const toolName = ({ tool }: Pick<QuestionIn, "tool">): string =>
  shownName(tool?.name || tool?.tool_call_id || "Unnamed tool");

/** "Mail (mail.example)"; null where it is a tool of the service itself. */
export function serverWords({ tool }: Pick<QuestionIn, "tool">): string | null {
  const server = tool?.server;
  if (!server) return null;
  const name = shownName(server.name || server.id || "unnamed server");
  return server.host ? `${name} (${shownName(server.host)})` : name;
}

export const agentName = ({ agent }: Pick<QuestionIn, "agent">): string =>
  shownName(agent?.name || agent?.id || "An agent");

/** "approved", "approved with edits", "refused"; an answer that we do not know as it came. */
export function answerWord(answer: string | null | undefined): string {
  if (answer === "approve") return "approved";
  if (answer === "approve_edited") return "approved with edits";
  return answer === "refuse" ? "refused" : answer || "answered";
}

/** "approved with edits by Ada Lovelace after 12 s" */
export function answeredWords({ answer, by, took_ms: took }: AnswerIn, person: PersonWords): string {
  const who = by ? ` by ${person(by.id, by)}` : "";
  return `${answerWord(answer)}${who}${typeof took === "number" ? ` after ${formatDuration(took)}` : ""}`;
}

/** Who may answer, as a sentence without its end: "Members of Harbor: Ada, Grace and 3 more" */
export function whoWords(
  { who, team }: Pick<QuestionDetailsIn, "who" | "team">,
  person: PersonWords,
): string {
  const people = (who?.people ?? []).flatMap((one) => (one ? [person(one.id, one)] : []));
  const rest = Math.max(0, (who?.count ?? 0) - people.length);
  const names = listed(rest > 0 ? [...people, counted(rest, "other")] : people, 6);
  const ofTeam = team ? ` of ${shownName(team.name || team.id || "the team")}` : "";
  switch (who?.rule) {
    case "person":
      return names === "" ? "The person the agent works for" : `${names}, for whom the agent works`;
    case "operators":
      return names === "" ? `Operators${ofTeam}: none at present` : `Operators${ofTeam}: ${names}`;
    case "people":
      return names === "" ? "People the agent’s settings name: none at present" : names;
    default:
      return names || who?.rule || "Unknown";
  }
}
