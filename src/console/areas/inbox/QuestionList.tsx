import { Link } from "@tanstack/react-router";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import { GroupHead } from "../../ui/Table.tsx";
import { usePerson } from "../directory/index.ts";
import type { InboxGroup } from "./inbox-rows.ts";
import type { QuestionIn } from "./queries.ts";
import {
  agentName,
  answeredWords,
  describeQuestion,
  inputWords,
  isFlow,
  isOfServer,
  isSource,
  serverWords,
  stakeWords,
  toolName,
  whomWords,
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
        {rows.map((row) => (
          <Row key={row.id} question={row} {...rest} />
        ))}
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

function Row({ question, shown, search }: Omit<Props, "groups"> & { question: QuestionIn }) {
  const person = usePerson();
  const isShown = question.id === shown;
  const { tone, word, terminal } = describeQuestion(question);
  const more = moreWords(question, terminal ? word : null, person);
  const isOfTool = !isFlow(question) && !isOfServer(question) && !isSource(question);
  const isCall = isOfTool && !terminal;
  // What is asked in a sentence has the first line for itself.
  const asker = isOfTool || isSource(question) ? null : agentName(question);
  const whom = terminal ? "" : whomWords(question, person);
  const stake = terminal ? null : stakeWords(question);
  return (
    <li data-row={question.id} className={rowClass(isShown)}>
      <StateShape tone={tone} label={word} className="mt-[3px]" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <Link
            to="/inbox/$itemId"
            params={{ itemId: question.id }}
            search={isSource(question) ? { ...search, kind: "source" } : search}
            aria-current={isShown ? "true" : undefined}
            title={toolName(question)}
            className="focus-inset min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            <bdi>{toolName(question)}</bdi>
          </Link>
          {isOfTool && (
            <span className="min-w-0 shrink-[2] truncate text-muted text-secondary">
              <bdi>{agentName(question)}</bdi>
              {whom}
            </span>
          )}
        </span>
        <span
          className={cx("block truncate text-muted", isCall ? "text-mono-narrow" : "text-secondary")}
          title={asker === null ? more : `${asker}${whom}, ${more}`}
        >
          {asker !== null && (
            <>
              <bdi>{asker}</bdi>
              {whom}
              {", "}
            </>
          )}
          <bdi>{more}</bdi>
          {isOfTool && terminal && question.arguments_preview && (
            <bdi className="ml-2 text-mono-narrow">{question.arguments_preview}</bdi>
          )}
        </span>
      </span>
      <span className="shrink-0 text-right text-muted text-secondary tabular-nums">
        <span className="block">
          <Ago at={terminal ? question.ended_at : question.asked_at} />
        </span>
        {stake !== null && (isSource(question) || search.order) && <span className="block">{stake}</span>}
        {!terminal && <LapsesSoon at={question.lapses_at} />}
      </span>
    </li>
  );
}

/** What a row says below its title. @param ended how it ended; null while it waits */
function moreWords(question: QuestionIn, ended: string | null, person: ReturnType<typeof usePerson>): string {
  const { answer, kind } = question;
  if (isSource(question)) {
    const what = answer ? answeredWords(answer, person) : ended;
    const { started_by: maker } = question;
    if (ended !== null) return `Knowledge source, ${what}`;
    return maker ? `Knowledge source, created by ${person(maker.id, maker)}` : "Knowledge source";
  }
  if (ended !== null) return answer ? answeredWords(answer, person, kind) : ended;
  const inputs = inputWords(question);
  if (isFlow(question)) return inputs || `asked by ${question.run?.node ?? "a node"}`;
  if (isOfServer(question))
    return [inputs, `asked by ${serverWords(question) ?? "a server"}`].filter(Boolean).join(", ");
  return question.arguments_preview ?? "";
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
