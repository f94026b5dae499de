import { formatCalendarDay } from "../../../lib/time/format-day.ts";
import { counted } from "../../../lib/words.ts";
import { AxisLabels } from "../../../ui/Chart.tsx";
import { cx } from "../../../ui/cx.ts";
import { Table } from "../../../ui/Table.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { type Graded, gradeFill, gradeWords, shownGrades, sumOf } from "../grades.tsx";
import type { EvaluationsSearch } from "../search.ts";
import { FilterLink } from "./Grades.tsx";
import type { DayOfGrades } from "./results.ts";

type Props = {
  days: readonly DayOfGrades[];
  noun: Graded["noun"];
  agentId: string;
  search: EvaluationsSearch;
  /** Whether a bar has results behind it that can be opened. */
  opens: boolean;
};

/** "Conversations per day". */
export const perDay = (noun: Graded["noun"]): string =>
  noun === "conversation" ? "Conversations per day" : "Results per day";

/**
 * Conversations or results per day in bars from zero, trouble on top of what passed. Each bar is a link to its results; the arrow keys go
 * from bar to bar, and the same numbers stand in a table one key away.
 */
export function DayChart({ days, noun, agentId, search, opens }: Props) {
  const heights = days.map((one) => sumOf(one.counts) / one.days);
  const top = niceTop(Math.max(0, ...heights));
  return (
    <figure aria-label={perDay(noun)} className="min-w-0">
      <div className="relative h-[132px] pr-7">
        {[1, 0.5].map((share) => (
          <div
            key={share}
            aria-hidden="true"
            className="absolute inset-x-0 border-chart-grid border-t"
            style={{ bottom: `${share * 100}%` }}
          >
            <span className="-top-[7px] absolute right-0 bg-surface pl-1 text-axis text-muted tabular-nums">
              {top * share}
            </span>
          </div>
        ))}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it moves the focus between the links in it */}
        <div
          className={cx(
            "relative mr-0 flex h-full items-end border-line-strong border-b",
            days.length <= 90 && "gap-0.5",
          )}
          onKeyDown={(event) => {
            const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (by === 0) return;
            const bars = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-bar]")];
            const next = bars[bars.indexOf(document.activeElement as HTMLElement) + by];
            if (!next) return;
            event.preventDefault();
            next.focus();
          }}
        >
          {days.map((one) => (
            <Bar key={one.day} one={one} top={top} {...{ noun, agentId, search, opens }} />
          ))}
        </div>
      </div>
      <AxisLabels
        className="mr-7"
        width={daysIn(days) * widest + days.length * 2}
        marks={marksOf(days)}
        end={opens ? "today" : "now"}
      />
    </figure>
  );
}

function Bar({
  one,
  top,
  noun,
  agentId,
  search,
  opens,
}: Omit<Props, "days"> & { one: DayOfGrades; top: number }) {
  const total = sumOf(one.counts);
  const isChosen = search.day === one.day;
  const words = barWords(one, noun);
  const parts = [...one.counts].map(([grade, count]) => (
    <span
      key={grade}
      className={cx("block w-full", gradeFill[gradeWords(grade).tone])}
      style={{ height: `${(count / one.days / top) * 100}%` }}
    />
  ));
  // Trouble stands on top: the ordinary case is the ground.
  const className = cx(
    "flex h-full min-w-0 flex-col-reverse justify-start gap-px rounded-t-mark",
    isChosen && "bg-surface-selected shadow-[inset_0_-2px_var(--accent-solid)]",
  );
  const style = { flex: `${one.days} 1 0`, maxWidth: `${one.days * widest}px` };
  if (!opens || total === 0) {
    return (
      <Tooltip content={words} describes={false}>
        <span role="img" aria-label={words} className={className} style={style}>
          {parts}
        </span>
      </Tooltip>
    );
  }
  return (
    <Tooltip content={words} describes={false}>
      <FilterLink
        {...{ agentId, search, style }}
        by={{ day: isChosen ? undefined : one.day }}
        data-bar=""
        aria-label={words}
        className={cx(className, "hover:bg-surface-hover")}
      >
        {parts}
      </FilterLink>
    </Tooltip>
  );
}

/** A day's bar at most, in px. */
const widest = 28;

const daysIn = (days: readonly DayOfGrades[]) => days.reduce((sum, one) => sum + one.days, 0);

/** The first bar and the middle one, where they are not the last. */
function marksOf(days: readonly DayOfGrades[]) {
  const all = daysIn(days);
  return [...new Set([0, Math.floor(days.length / 2)])]
    .filter((index) => index < days.length - 1)
    .map((index) => ({
      at: daysIn(days.slice(0, index)) / all,
      word: shortDay(days[index]?.day, days.at(-1)?.day),
    }));
}

/** "18 Nov: 7 conversations, 6 pass, 1 needs review". */
function barWords({ day, days, counts }: DayOfGrades, noun: string): string {
  const total = sumOf(counts);
  const when = days === 1 ? shortDay(day) : `${days} days from ${shortDay(day)}`;
  const each = [...counts].map(([grade, count]) => `${count} ${gradeWords(grade).title.toLowerCase()}`);
  return `${when}: ${[counted(total, noun), ...each].join(", ")}`;
}

/**
 * A day of the calendar, `2026-11-20`, as `20 Nov`; with its year where that of another day beside it is not the same.
 * @param beside a day of the calendar
 */
export function shortDay(day: string | undefined, beside = day): string {
  if (day === undefined) return "";
  const year = day.slice(0, 4);
  return beside?.slice(0, 4) === year ? formatCalendarDay(day) : `${formatCalendarDay(day)} ${year}`;
}

/** A round number at or above the highest bar, so that the scale can be read. */
function niceTop(most: number): number {
  for (const one of [2, 4, 6, 10, 20, 40, 60, 100, 200, 400, 600, 1_000]) if (most <= one) return one;
  return Math.ceil(most / 1_000) * 1_000;
}

/** The chart's numbers as a table, newest first. */
export function DayTable({ days, noun }: { days: readonly DayOfGrades[]; noun: Graded["noun"] }) {
  const grades = shownGrades(days.flatMap((one) => [...one.counts.keys()]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without this only by a pointer
    <section aria-label="Numbers per day" tabIndex={0} className="-mx-edge-left max-h-64 overflow-y-auto">
      <Table
        label={perDay(noun)}
        rows={days.toReversed()}
        idOf={(one) => one.day}
        columns={{
          day: {
            head: "Day",
            // A few days together take two lines of a phone.
            cellClass: "max-sm:whitespace-normal",
            cell: (one) => (
              <>
                {shortDay(one.day, days.at(-1)?.day)}
                {one.days > 1 && <span className="text-muted"> and {counted(one.days - 1, "more day")}</span>}
              </>
            ),
          },
          all: {
            head: "Total",
            width: 88,
            headClass: "max-sm:w-[52px]",
            kind: "figure",
            cell: (one) => sumOf(one.counts),
          },
          ...Object.fromEntries(
            grades.map((grade) => [
              `grade ${grade}`,
              {
                head: <span className="max-sm:whitespace-normal">{gradeWords(grade).title}</span>,
                width: 120,
                headClass: "max-sm:w-[68px] max-sm:last:w-[80px]",
                kind: "mutedFigure",
                cell: (one: DayOfGrades) => one.counts.get(grade) ?? 0,
              } as const,
            ]),
          ),
        }}
      />
    </section>
  );
}
