import { Link } from "@tanstack/react-router";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import { GroupHead } from "../../ui/Table.tsx";
import { usePerson } from "../directory/index.ts";
import type { InboxGroup, SourceRow } from "./inbox-rows.ts";
import type { QuestionIn } from "./queries.ts";
import {
  agentName,
  answeredWords,
  describeQuestion,
  isFlow,
  isOfServer,
  serverWords,
  toolName,
} from "./questions.ts";
import type { InboxSearch } from "./search.ts";

type Props = {
  groups: readonly InboxGroup[];
  /** The question that is shown beside the list. */
  shown: string | undefined;
  search: InboxSearch;
};

/** Two lines for each question: the tool, and over which arguments of whom it is decided. */
export function QuestionList({ groups, ...rest }: Props) {
  return groups.map(({ name, rows }) => (
    <section key={name} aria-label={name}>
      <h2 className="flex h-row-group items-center border-b bg-surface-sunken pr-4 pl-edge-left">
        <span className="w-full">
          <GroupHead name={name} count={rows.length} remark="" />
        </span>
      </h2>
      <ul>
        {rows.map((row) =>
          row.kind === "question" ? (
            <Row key={row.id} question={row.question} {...rest} />
          ) : (
            <ASource key={row.id} source={row.source} {...rest} />
          ),
        )}
      </ul>
    </section>
  ));
}

/** How a row of the inbox stands; one is shown beside the list. */
const rowClass = (isShown: boolean): string =>
  cx(
    "relative flex min-h-[52px] items-start gap-3 border-b py-1.5 pr-4 pl-edge-left",
    isShown ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]" : "hover:bg-surface-hover",
  );

function ASource({ source, shown, search }: Omit<Props, "groups"> & { source: SourceRow }) {
  const isShown = source.id === shown;
  const isApproved = source.state === "approved";
  return (
    <li data-row={source.id} className={rowClass(isShown)}>
      <StateShape
        tone={isApproved ? "done" : "waiting"}
        label={isApproved ? "approved" : "waiting"}
        className="mt-[3px]"
      />
      <span className="min-w-0 flex-1">
        <Link
          to="/inbox/$itemId"
          params={{ itemId: source.id }}
          search={{ ...search, kind: "source" }}
          aria-current={isShown ? "true" : undefined}
          title={source.name}
          className="focus-inset block min-w-0 truncate font-medium after:absolute after:inset-0"
        >
          <bdi>{source.name}</bdi>
        </Link>
        <span className="block truncate text-muted text-secondary" title={source.words}>
          <bdi>{source.words}</bdi>
        </span>
      </span>
      <span className="shrink-0 text-right text-muted text-secondary tabular-nums">
        <span className="block">
          <Ago at={source.at} />
        </span>
        {source.cost !== null && <span className="block">{source.cost}</span>}
      </span>
    </li>
  );
}

function Row({ question, shown, search }: Omit<Props, "groups"> & { question: QuestionIn }) {
  const person = usePerson();
  const isShown = question.id === shown;
  const { tone, word, terminal } = describeQuestion(question);
  const { answer } = question;
  const more = terminal
    ? answer
      ? answeredWords(answer, person, question.kind)
      : word
    : isFlow(question)
      ? `Asked by ${question.run?.node ?? "a node"}`
      : isOfServer(question)
        ? `Asked by ${serverWords(question) ?? "a server"}`
        : (question.arguments_preview ?? "");
  return (
    <li data-row={question.id} className={rowClass(isShown)}>
      <StateShape tone={tone} label={word} className="mt-[3px]" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <Link
            to="/inbox/$itemId"
            params={{ itemId: question.id }}
            search={search}
            aria-current={isShown ? "true" : undefined}
            title={toolName(question)}
            className="focus-inset min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            <bdi>{toolName(question)}</bdi>
          </Link>
          <bdi className="min-w-0 shrink-[2] truncate text-muted text-secondary">{agentName(question)}</bdi>
        </span>
        <span
          className={cx(
            "block truncate text-muted",
            terminal || isFlow(question) || isOfServer(question) ? "text-secondary" : "text-mono-narrow",
          )}
          title={more}
        >
          <bdi>{more}</bdi>
        </span>
      </span>
      <span className="shrink-0 text-right text-muted text-secondary tabular-nums">
        <span className="block">
          <Ago at={terminal ? question.ended_at : question.asked_at} />
        </span>
        {!terminal && <LapsesSoon at={question.lapses_at} />}
      </span>
    </li>
  );
}

const soon = 24 * 3_600_000;

/** How long is left, where that is less than a day. */
function LapsesSoon({ at }: { at: string | null | undefined }) {
  const now = useNow(true, 60_000);
  const left = (parseTime(at) ?? Number.POSITIVE_INFINITY) - now;
  if (left > soon) return null;
  return (
    <span className="block text-state-stopped-fg">
      {left > 0 ? `${formatDuration(left)} left` : "time is up"}
    </span>
  );
}
