import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { shownText } from "../shownText.ts";
import { safeUrl } from "./links.ts";

/** What is searched for, and whether this is where "next" went to. */
export interface Find {
  readonly text: string;
  readonly isCurrent: boolean;
}

export const noFind: Find = { text: "", isCurrent: false };

/** Somebody else's text, with the places marked that are searched for. */
export function Marked({ text: written, find }: { text: string; find: Find }) {
  const text = shownText(written);
  if (find.text === "") return text;
  return markHits(text, find.text).map((part, at) =>
    part.isHit ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity and never move
        key={at}
        className={cx(
          "rounded-mark",
          find.isCurrent ? "bg-hit-current-bg text-on-hit" : "bg-hit-bg text-default",
        )}
      >
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}

/** A stretch of text that is, or is not, a hit of the search. */
interface Part {
  readonly text: string;
  readonly isHit: boolean;
}

/** Splits a text at the places where `search` stands in it, without regard to case. An empty search hits nothing. */
export function markHits(text: string, search: string): readonly Part[] {
  if (search === "") return [{ text, isHit: false }];
  // Lower case may have another length ("İ"): then marks would be off, so nothing is marked.
  const low = text.toLowerCase();
  const wanted = search.toLowerCase();
  if (low.length !== text.length || wanted.length !== search.length) return [{ text, isHit: false }];
  const parts: Part[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at !== -1; at = low.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false });
    parts.push({ text: text.slice(at, at + wanted.length), isHit: true });
    from = at + wanted.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}

type Props = { href: string | null | undefined; children: ReactNode; className?: string };

/** A link out of the console: http or https only, its host in the title, nothing told to the place that it opens. */
export function ExternalLink({ href, children, className }: Props) {
  const url = safeUrl(href);
  if (!url) return <span className={className}>{children}</span>;
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      title={`Opens ${url.host}: ${url.href}`}
      className={className}
    >
      {children}
    </a>
  );
}
