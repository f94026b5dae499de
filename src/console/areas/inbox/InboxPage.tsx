import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { useApi, useCan } from "../../lib/api.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { ListView } from "../../lib/list/ListView.tsx";
import { useListKeys } from "../../lib/list/useListKeys.ts";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import { Page } from "../../lib/page/Page.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { noPanel, useMedia } from "../../lib/useMedia.ts";
import { counted } from "../../lib/words.ts";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { moveKeys, openKey } from "../../ui/Kbd.tsx";
import { later } from "../../ui/later.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { groupRows } from "./inbox-rows.ts";
import { QuestionList } from "./QuestionList.tsx";
import { inboxQueries, questionPages, shownFilters } from "./queries.ts";
import { isSource, toolName } from "./questions.ts";
import type { InboxSearch } from "./search.ts";

const QuestionDetail = later(() => import("./QuestionDetail.tsx"));

type Props = {
  itemId?: string | undefined;
  search: InboxSearch;
  /** Ids of knowledge sources that this person put off. */
  snoozed: ReadonlySet<string>;
  /** A knowledge source with all that is needed to decide: the area of sources uses this one. */
  renderSource: (id: string) => ReactNode;
};

/** What agents ask people, and what was answered; beside it the question that was chosen. */
export function InboxPage(props: Props) {
  return useCan("inbox") ? <Inbox {...props} /> : <NotOffered />;
}

function Inbox({ itemId, search, snoozed, renderSource }: Props) {
  const navigate = useNavigate();
  const api = useApi();
  const isAnswered = search.state === "answered";
  const { rows: all, ...list } = usePages(questionPages(api, shownFilters(search)));
  const groups = groupRows(all, isAnswered, snoozed);
  const rows = groups.flatMap((group) => group.rows);
  // What is listed may be the beginning alone.
  const count = useRead({ ...inboxQueries.count(api), enabled: list.more !== null && !isAnswered });
  const inAll = list.more === null ? 0 : (count.data?.data.waiting ?? 0) - snoozed.size;
  const mine = isAnswered ? 0 : Math.max(inAll, rows.filter((row) => row.may_answer).length);
  const { kind, ...ofList } = search;
  const isNarrow = useMedia(noPanel);
  const detail = useRef<HTMLElement>(null);
  useListKeys({
    noun: "question",
    ids: rows.map(({ id }) => id),
    current: itemId,
    onMove: (id) => {
      const ofSource = rows.some((row) => row.id === id && isSource(row));
      void navigate({
        to: "/inbox/$itemId",
        params: { itemId: id },
        search: { ...ofList, ...(ofSource && { kind: "source" }) },
      });
    },
    onOpen: () => detail.current?.focus(),
  });

  // Also of one that is not in the list: it may have been answered.
  const { data: asked } = useRead({
    ...inboxQueries.one(api, itemId ?? ""),
    enabled: itemId !== undefined && kind !== "source",
  });
  const chosen = rows.find(({ id }) => id === itemId) ?? asked?.data.item;
  const listTitle = narrowedTitle("Inbox", undefined, isAnswered && "Answered");
  const title = itemId === undefined ? listTitle : chosen ? toolName(chosen) : "A question";
  const showsList = itemId === undefined || !isNarrow;
  const isEmpty = rows.length === 0;
  return (
    <Page
      title={itemId === undefined && mine > 0 ? `${counted(mine, "waits", "wait")} for you · Inbox` : title}
      heading="Inbox"
      live={list.query.queryKey}
    >
      {showsList && (
        <TabBar label="Inbox" className="shrink-0 pr-edge-right pl-edge-left">
          <Tab isActive={!isAnswered} count={mine || undefined}>
            <Link to="/inbox">Waiting</Link>
          </Tab>
          <Tab isActive={isAnswered}>
            <Link to="/inbox" search={{ state: "answered" }}>
              Answered
            </Link>
          </Tab>
        </TabBar>
      )}
      <div className="flex min-h-0 flex-1">
        {showsList && (
          <div
            className={cx(
              "flex min-h-0 flex-col overflow-y-auto",
              isNarrow || (isEmpty && itemId === undefined) ? "w-full" : "w-[400px] shrink-0 border-r",
            )}
          >
            <ListView
              list={list}
              what="The inbox"
              shape={["14px", "2fr", "64px"]}
              isEmpty={isEmpty}
              empty={isAnswered ? <NothingAnswered /> : <NothingWaits />}
              foot={footWords(rows.length, search, list.more !== null)}
              keys={isEmpty ? [] : [moveKeys, openKey]}
              moreLabel={isAnswered ? "Show older" : search.order ? "Show more" : "Show newer"}
            >
              {!isAnswered && rows.length > 1 && <OrderChoice itemId={itemId} search={search} />}
              <QuestionList groups={groups} shown={itemId} search={ofList} />
            </ListView>
          </div>
        )}
        {itemId !== undefined ? (
          <section
            ref={detail}
            aria-label="The question"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="focus-inset min-w-0 flex-1 overflow-y-auto"
          >
            {kind === "source" ? (
              renderSource(itemId)
            ) : (
              <LazyPart>
                <QuestionDetail key={itemId} itemId={itemId} search={ofList} place={detail} />
              </LazyPart>
            )}
          </section>
        ) : (
          !isNarrow &&
          !isEmpty && (
            <EmptyState title={isAnswered ? "Choose a question" : "Choose what to answer"}>
              {isAnswered
                ? "You’ll see who answered, how long it took, and what ran."
                : "You’ll see exactly what would run, and how it differs from last time, before anything runs."}
            </EmptyState>
          )
        )}
      </div>
    </Page>
  );
}

/** Which of what waits comes first. */
function OrderChoice({ itemId, search: { order, ...rest } }: Pick<Props, "itemId" | "search">) {
  const navigate = useNavigate();
  const show = (next: string) => {
    const search = { ...rest, ...(next === "dearest" && { order: "dearest" as const }) };
    void navigate(
      itemId === undefined ? { to: "/inbox", search } : { to: "/inbox/$itemId", params: { itemId }, search },
    );
  };
  return (
    <div className="border-b py-2 pr-4 pl-edge-left">
      <Segmented
        label="Order"
        isWide
        value={order ?? "oldest"}
        onChange={show}
        options={[
          { value: "oldest", label: "Oldest first" },
          { value: "dearest", label: "Most at stake first" },
        ]}
      />
    </div>
  );
}

function footWords(count: number, { state, order }: InboxSearch, hasMore: boolean): string | false {
  if (count === 0) return false;
  const shown = counted(count, "item");
  if (state === "answered") return hasMore ? `The latest ${shown}` : `Showing all ${shown}`;
  if (order) return hasMore ? `The first ${shown}` : `Showing all ${shown}`;
  return hasMore ? `The oldest ${shown}` : `${shown}, oldest first`;
}

function NothingWaits() {
  return (
    <EmptyState title="Nothing waits for an answer">
      When an agent wants to call a tool that needs approval, a flow asks, or a knowledge source is to be
      indexed, it waits here until someone answers. Which tools ask is set per agent, under Settings,
      Approvals.
    </EmptyState>
  );
}

function NothingAnswered() {
  return (
    <EmptyState title="Nothing answered yet">
      Answered questions stay here, with who answered, how long it took, and what ran.
    </EmptyState>
  );
}

function NotOffered() {
  return (
    <Page title="Inbox" heading="Inbox">
      <EmptyState title="This service has no inbox">
        Agents and flows of this service can’t ask people, so nothing waits here.
      </EmptyState>
    </Page>
  );
}
