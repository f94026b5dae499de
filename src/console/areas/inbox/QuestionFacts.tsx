import { Link } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import MessageSquareX from "lucide-react/icons/message-square-x";
import Pencil from "lucide-react/icons/pencil";
import Play from "lucide-react/icons/play";
import { type ReactNode, useState } from "react";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { shownName } from "../../lib/shownName.ts";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { IconLine } from "../../ui/IconLine.tsx";
import { Id } from "../../ui/Id.tsx";
import { StatePill } from "../../ui/Tag.tsx";
import { dottedClass, linkClass } from "../../ui/textClass.ts";
import { Person, usePerson } from "../directory/index.ts";
import type { QuestionDetailsIn } from "./queries.ts";
import {
  agentName,
  describeQuestion,
  inputWords,
  isFlow,
  isOfRun,
  isOfServer,
  serverWords,
  stakeWords,
  toolName,
  whoWords,
} from "./questions.ts";
import type { InboxSearch } from "./search.ts";

type Props = { question: QuestionDetailsIn };

/** A part of a question under its title. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t py-3.5 pr-edge-right pl-edge-left">
      <div className="mb-1.5 flex min-h-control-small items-center gap-3">
        <h3 className="min-w-0 flex-1 text-muted text-secondary">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

type HeadProps = Props & { itemId: string; search: InboxSearch };

/** Which tool of which server, by which agent, for whom, and in which conversation. */
export function QuestionHead({ question, itemId, search }: HeadProps) {
  const { tone, title, terminal } = describeQuestion(question);
  const { agent, session, message_id: message, part_id: part } = question;
  const stake = stakeWords(question);
  const inputs = inputWords(question);
  return (
    <header className="py-4 pr-edge-right pl-edge-left">
      <div className="flex gap-2">
        <Link
          to="/inbox"
          search={search}
          className="hit mt-[7px] shrink-0 self-start md:hidden"
          aria-label="All questions"
        >
          <ArrowLeft />
        </Link>
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h2 className="min-w-0 break-words text-title">
            <bdi>{toolName(question)}</bdi>
          </h2>
          <StatePill tone={tone} word={title} />
        </div>
      </div>
      <p className="mt-1 max-w-text">
        {isOfServer(question) ? (
          <ServerWords question={question} terminal={terminal} />
        ) : isFlow(question) ? (
          <>
            The flow <bdi>{agentName(question)}</bdi> {terminal ? "asked" : "asks"} this before it goes on
            {question.started_by && ","}
            <ForPerson of={question.started_by} end="." />
          </>
        ) : (
          <CallWords question={question} terminal={terminal} />
        )}
      </p>
      <p className={`mt-1 text-muted text-secondary ${dottedClass}`}>
        <span>
          asked <Ago at={question.asked_at} />
        </span>
        {stake !== null && !terminal && <span>{stake} used so far</span>}
        {question.team && (
          <span>
            team <bdi>{shownName(question.team.name || question.team.id || "unknown")}</bdi>
          </span>
        )}
        {inputs !== "" && (
          <span className="min-w-0 truncate" title={inputs}>
            inputs <bdi>{inputs}</bdi>
          </span>
        )}
        {question.run?.run_id && question.run.readable !== false && (
          <span className="min-w-0">
            <Link to="/runs/$runId" params={{ runId: question.run.run_id }} className={linkClass}>
              Open the run
            </Link>
          </span>
        )}
        {agent?.id && session?.id && (
          <span className="min-w-0">
            <Link
              to="/agents/$agentId/conversations/$interactionId"
              params={{ agentId: agent.id, interactionId: session.id }}
              search={message && part ? { part: `${message}.${part}` } : {}}
              className={linkClass}
            >
              {session.name ? shownName(session.name) : "Open the conversation"}
            </Link>
          </span>
        )}
        <span>
          <Id id={itemId} what="question ID" cut={[10, 5]} />
        </span>
      </p>
    </header>
  );
}

type ForPersonProps = { of: QuestionDetailsIn["started_by"]; end: string };

/** " for Ada." The end of a sentence never begins a line. */
function ForPerson({ of, end }: ForPersonProps) {
  const [mark = "", ...rest] = end;
  if (!of) return end;
  return (
    <>
      {" for "}
      <span className="whitespace-nowrap">
        <Person of={of} />
        {mark}
      </span>
      {rest.join("")}
    </>
  );
}

/** "Clerk wants to call send of Mail for Ada." */
function CallWords({ question, terminal }: Props & { terminal: boolean }) {
  const server = serverWords(question);
  return (
    <>
      <bdi>{agentName(question)}</bdi> {terminal ? "wanted" : "wants"} to call{" "}
      {question.tool && server === null && "the built-in tool "}
      <bdi className="text-mono">{toolName(question)}</bdi>
      {server !== null && (
        <>
          {" "}
          of <bdi>{server}</bdi>
        </>
      )}
      <ForPerson of={question.started_by} end="." />
    </>
  );
}

/** "The server Mail (mail.example) asks this. Clerk has called its tool send for Ada." Or the flow Clerk has. */
function ServerWords({ question, terminal }: Props & { terminal: boolean }) {
  return (
    <>
      The server <bdi className="font-semibold">{serverWords(question) ?? "of a tool"}</bdi>{" "}
      {terminal ? "asked" : "asks"} this. {isOfRun(question) && "The flow "}
      <bdi>{agentName(question)}</bdi> has called its tool{" "}
      <bdi className="text-mono">{shownName(question.tool?.name || "without a name")}</bdi>
      <ForPerson of={question.started_by} end={terminal ? "." : ", and the call waits."} />
    </>
  );
}

/** What the tool tells of itself: nobody has checked it. */
export function ToolWords({ question }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { description, input_schema: schema } = question.tool ?? {};
  return (
    <Part
      title="What the tool says it does"
      aside={
        schema && (
          <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide its inputs" : "Show its inputs"}
          </Button>
        )
      }
    >
      {description ? (
        <blockquote className="max-w-text border-l-2 pl-3">
          <PlainText text={description} />
        </blockquote>
      ) : (
        <p className="text-muted">It gives no description.</p>
      )}
      <p className="mt-1.5 max-w-text text-faint text-secondary">
        {question.tool?.server
          ? "In the server’s own words; no one has checked them."
          : "A tool of this service itself."}
      </p>
      {isOpen && schema && (
        <div className="mt-2 rounded-control border bg-surface-sunken px-3 py-2">
          <JsonView value={schema} label="Inputs of the tool" />
        </div>
      )}
    </Part>
  );
}

/** What each answer leads to. */
export function Consequences({ question }: Props) {
  const agent = agentName(question);
  if (isFlow(question)) return <FlowConsequences question={question} />;
  if (isOfServer(question)) return <ServerConsequences question={question} />;
  return (
    <Part title="What follows">
      <ul className="flex flex-col gap-1.5">
        <IconLine icon={<Play />}>
          <strong className="font-semibold">Approve</strong>: the call runs once, with exactly these
          arguments. It can’t be undone here; {agent} goes on with the result.
        </IconLine>
        {question.may_edit && (
          <IconLine icon={<Pencil />}>
            <strong className="font-semibold">Edit and approve</strong>: your arguments run instead, checked
            against the tool’s inputs first.
          </IconLine>
        )}
        <IconLine icon={<MessageSquareX />}>
          <strong className="font-semibold">Refuse</strong>: nothing runs. {agent} gets your reason and goes
          on without the result.
        </IconLine>
      </ul>
    </Part>
  );
}

function FlowConsequences({ question }: Props) {
  return (
    <Part title="What follows">
      <ul className="flex flex-col gap-1.5">
        <IconLine icon={<Play />}>
          <strong className="font-semibold">Approve</strong>: the run goes on
          {(question.form?.fields ?? []).length > 0 && " with what you fill in"}.
        </IconLine>
        <IconLine icon={<MessageSquareX />}>
          <strong className="font-semibold">Refuse</strong>: nothing that needs this approval is done. The run
          gets your reason and goes on without it.
        </IconLine>
      </ul>
    </Part>
  );
}

function ServerConsequences({ question }: Props) {
  return (
    <Part title="What follows">
      <ul className="flex flex-col gap-1.5">
        <IconLine icon={<Play />}>
          <strong className="font-semibold">{question.link ? "I have done it" : "Send answer"}</strong>:{" "}
          {question.link ? "the server is told so" : "the server gets what you fill in"}, and goes on with the
          call. {isOfRun(question) ? "The run" : agentName(question)} gets the result.
        </IconLine>
        <IconLine icon={<MessageSquareX />}>
          <strong className="font-semibold">Decline</strong>: the server is told that you do not want to.{" "}
          <strong className="font-semibold">Leave</strong>: it is told that no one decided. What it does then
          is up to it.
        </IconLine>
      </ul>
    </Part>
  );
}

/** Whom the rule means, and until when. */
export function WhoAnswers({ question }: Props) {
  const person = usePerson();
  const words = whoWords(question, person);
  return (
    <Part title="Who may answer">
      <p className="max-w-text break-words">{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
      {question.state === "waiting" && (
        <p className="mt-1 max-w-text text-muted">
          {isFlow(question) || isOfServer(question)
            ? "Without an answer it lapses"
            : "Without an answer the call is refused"}{" "}
          at <ClockTime at={question.lapses_at} />.
        </p>
      )}
    </Part>
  );
}
