import { inboxStates } from "../../../contract/area-states.ts";
import type { Received } from "../../../contract/define.ts";
import type { InboxAnswer } from "../../../contract/inbox.ts";
import { type Description, describeState } from "../../../contract/states.ts";
import { creditWords, tokenWords } from "../../lib/format-usage.ts";
import { joinNames } from "../../lib/join-names.ts";
import { shownName } from "../../lib/shownName.ts";
import { shownText } from "../../lib/shownText.ts";
import { formatDuration } from "../../lib/time/format.ts";
import { counted } from "../../lib/words.ts";
import type { PersonIn } from "../directory/index.ts";
import { firstInputs } from "../runs/index.ts";
import type { QuestionDetailsIn, QuestionIn } from "./queries.ts";

type AnswerIn = Received<InboxAnswer>;
/** Says who somebody is: `usePerson`. */
type PersonWords = (id: string | null | undefined, person?: PersonIn | null) => string;

type StateOf = Pick<QuestionIn, "state"> & Partial<Pick<QuestionIn, "kind">>;

/** How a question stands. */
export function describeQuestion({ state, kind }: StateOf): Description {
  const described = describeState(inboxStates, state);
  const isAsked = kind === "server" && state === "waiting";
  return isAsked ? { ...described, title: "Waiting for an answer" } : described;
}

/** What the tool is called, without a name as the model calls it; of a flow or a server its question. */
export const toolName = ({
  kind,
  tool,
  title,
}: Pick<QuestionIn, "tool"> & Partial<Pick<QuestionIn, "title" | "kind">>): string =>
  shownName((kind === "server" && title) || tool?.name || tool?.tool_call_id || title || "Unnamed tool");

/** Whether a node of a flow asks. */
export const isFlow = ({ kind }: Pick<QuestionIn, "kind">): boolean => kind === "flow";

/** Whether the server of a tool asks. */
export const isOfServer = ({ kind }: Pick<QuestionIn, "kind">): boolean => kind === "server";

/** Whether a run waits for the answer, and not a turn of an agent: also where the server of a tool asks that it calls. */
export const isOfRun = (question: Pick<QuestionIn, "kind" | "run">): boolean =>
  isFlow(question) || Boolean(question.run?.run_id);

/** For whom the turn or run goes that asks: " for Grace Hopper"; empty where it is the reader. */
export function whomWords(
  { started_by: starter }: Pick<QuestionIn, "started_by">,
  person: PersonWords,
): string {
  const whom = starter ? person(starter.id, starter) : "you";
  return whom === "you" ? "" : ` for ${whom}`;
}

/** With what the run goes that asks, by which many questions of one flow are told apart; empty where nothing is known of it. */
export const inputWords = ({ run }: Pick<QuestionIn, "run">): string =>
  shownText(firstInputs(run?.inputs ?? {}));

/** Whether a knowledge source waits for its approval. */
export const isSource = ({ kind }: Pick<QuestionIn, "kind">): boolean => kind === "source";

/** What is at stake: "38.4k tokens" used so far, "38.4 credits" of a source; null where nothing is known to be at stake. */
export function stakeWords(question: Pick<QuestionIn, "kind" | "tokens" | "source">): string | null {
  const { tokens, source } = question;
  if (isSource(question)) {
    const credits = source?.estimated_credits;
    return typeof credits === "number" && credits > 0 ? creditWords(credits) : null;
  }
  return typeof tokens === "number" && tokens > 0 ? tokenWords(tokens) : null;
}

/** "Mail (mail.example)"; null where it is a tool of the service itself. */
export function serverWords({ tool }: Pick<QuestionIn, "tool">): string | null {
  const server = tool?.server;
  if (!server) return null;
  const name = shownName(server.name || server.id || "unnamed server");
  return server.host ? `${name} (${shownName(server.host)})` : name;
}

/** Who asks: an agent, or a flow. */
export const agentName = ({
  agent,
  run,
}: Pick<QuestionIn, "agent"> & Partial<Pick<QuestionIn, "run">>): string =>
  shownName(agent?.name || agent?.id || run?.saved_item_name || run?.saved_item_id || "An agent");

/** "approved", "approved with edits", "refused"; an answer that we do not know as it came. */
export function answerWord(answer: string | null | undefined, kind?: QuestionIn["kind"]): string {
  if (kind === "server" && answer === "approve") return "answered";
  if (kind === "server" && answer === "refuse") return "declined";
  if (answer === "leave") return "left undecided";
  if (answer === "approve") return "approved";
  if (answer === "approve_edited") return "approved with edits";
  return answer === "refuse" ? "refused" : answer || "answered";
}

/** "approved with edits by Ada Lovelace after 12 s" */
export function answeredWords(
  { answer, by, took_ms: took }: AnswerIn,
  person: PersonWords,
  kind?: QuestionIn["kind"],
): string {
  const who = by ? ` by ${person(by.id, by)}` : "";
  return `${answerWord(answer, kind)}${who}${typeof took === "number" ? ` after ${formatDuration(took)}` : ""}`;
}

/** Who may answer, as a sentence without its end: "Members of Harbor: Ada, Grace and 3 more" */
export function whoWords(
  question: Pick<QuestionDetailsIn, "who" | "team" | "kind" | "run">,
  person: PersonWords,
): string {
  const { who, team } = question;
  const ofRun = isOfRun(question);
  const people = (who?.people ?? []).flatMap((one) => (one ? [person(one.id, one)] : []));
  const rest = Math.max(0, (who?.count ?? 0) - people.length);
  const names = joinNames(rest > 0 ? [...people, counted(rest, "other")] : people, 6);
  const ofTeam = team ? ` of ${shownName(team.name || team.id || "the team")}` : "";
  switch (who?.rule) {
    case "person":
      if (ofRun) return names === "" ? "Whoever started the run" : `${names}, who started the run`;
      return names === "" ? "The person the agent works for" : `${names}, for whom the agent works`;
    case "operators":
      return names === "" ? `Operators${ofTeam}: none at present` : `Operators${ofTeam}: ${names}`;
    case "people":
      return names === ""
        ? `People the ${ofRun ? "flow names" : "agent’s settings name"}: none at present`
        : names;
    default:
      return names || who?.rule || "Unknown";
  }
}
