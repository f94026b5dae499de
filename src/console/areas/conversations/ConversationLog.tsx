import ArrowDown from "lucide-react/icons/arrow-down";
import { type Key, useMemo } from "react";
import { noFind } from "../../lib/markdown/Marked.tsx";
import { useMedia } from "../../lib/useMedia.ts";
import { grouped } from "../../lib/words.ts";
import type { Row } from "./message-rows.ts";
import { PartRow } from "./PartRow.tsx";
import { type ConversationScrollProps, useConversationScroll } from "./useConversationScroll.ts";

type Props = ConversationScrollProps & {
  agent: string;
  /** Who wrote the first message, and the later ones. */
  person: { readonly first: string; readonly later: string };
  /** The row that "next hit" went to. */
  currentHit: number | undefined;
  search: string;
  onLink: (key: string) => void;
  /** Goes on from before a person's message as a copy; undefined where that cannot be done. */
  onCopy: ((row: Row) => void) | undefined;
};

/**
 * The rows, of which only those in view exist as elements (at most 60, whatever there is). Each is measured; what is
 * read does not move when rows above turn out higher than thought, and the end is followed only by whoever is there.
 */
export function ConversationLog(props: Props) {
  const { rows, tail, agent, person, isMoving, currentHit, search, part, onLink, onCopy } = props;
  const { scroller, list, items, onScroll, toEnd, isAtEnd, unread } = useConversationScroll(props);
  const count = rows.length + tail.length;
  const isPaper = useMedia("print");
  const drawn = isPaper ? onPaper(count, list.options.getItemKey) : items;
  // The same objects for the same search, so that rows that did not change are not drawn again.
  const [others, current] = useMemo(
    () => (search === "" ? [noFind, noFind] : [true, false].map((is) => ({ text: search, isCurrent: !is }))),
    [search],
  );
  const newest = rows.findLastIndex((row) => row.isFirst && row.role === "agent");
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="focus-inset min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
      >
        <div className="relative w-full" style={isPaper ? undefined : { height: list.getTotalSize() }}>
          <ol
            className={isPaper ? undefined : "absolute inset-x-0 top-0"}
            style={isPaper ? undefined : { translate: `0 ${items[0]?.start ?? 0}px` }}
          >
            {drawn.map((item) => {
              const row = rows[item.index];
              return (
                <li
                  key={item.key}
                  data-index={item.index}
                  ref={list.measureElement}
                  aria-setsize={count}
                  aria-posinset={item.index + 1}
                >
                  {row ? (
                    <PartRow
                      row={row}
                      agent={agent}
                      person={row.turn > 1 ? person.later : person.first}
                      isGoingOn={isMoving && item.index === newest && row.turn === rows.at(-1)?.turn}
                      isMarked={part === row.key}
                      find={(currentHit === item.index ? current : others) ?? noFind}
                      onLink={onLink}
                      onCopy={onCopy}
                    />
                  ) : (
                    tail[item.index - rows.length]?.node
                  )}
                </li>
              );
            })}
          </ol>
          {isPaper && drawn.length < count && (
            <p className="p-4 text-muted">
              The first {grouped(drawn.length)} of {grouped(count)} parts of this conversation.
            </p>
          )}
        </div>
      </section>
      {!isAtEnd && (
        <button
          type="button"
          onClick={toEnd}
          className="fade-in absolute bottom-3 left-1/2 z-sticky flex h-7 -translate-x-1/2 items-center gap-2 rounded-full bg-surface-inverse px-3.5 font-medium text-inverse text-secondary tabular-nums shadow-float"
        >
          <ArrowDown className="size-3.5" />
          {unread > 0 ? "New messages" : "Jump to end"}
        </button>
      )}
    </div>
  );
}

/** More would keep a browser busy for minutes before it prints. */
const mostOnPaper = 3_000;

/** On paper nothing can be scrolled to: all rows are drawn, from the first. */
const onPaper = (count: number, keyOf: (index: number) => Key) =>
  Array.from({ length: Math.min(count, mostOnPaper) }, (_, index) => ({ index, key: keyOf(index) }));
