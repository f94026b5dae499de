import GitBranch from "lucide-react/icons/git-branch";
import Link2 from "lucide-react/icons/link-2";
import { memo, type ReactNode } from "react";
import type { Find } from "../../lib/markdown/Marked.tsx";
import { shownName } from "../../lib/shownName.ts";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { Took } from "./ConversationState.tsx";
import type { Row } from "./message-rows.ts";
import { PartBody } from "./PartBody.tsx";

type Props = {
  row: Row;
  /** Who speaks, in a word. */
  agent: string;
  person: string;
  /** The agent is still at this message. */
  isGoingOn: boolean;
  /** The part that the address names. */
  isMarked: boolean;
  find: Find;
  /** Puts the part into the address and copies it. */
  onLink: (key: string) => void;
  /** Goes on from before the person's message as a copy; undefined where that cannot be done. */
  onCopy?: ((row: Row) => void) | undefined;
};

/** One part of a message: who and when in the gutter at the left, everything else on one column. */
export const PartRow = memo(function PartRow(props: Props) {
  const { row, agent, person, isGoingOn, isMarked, find, onLink, onCopy } = props;
  const isCall = row.body.kind === "call";
  const link = (
    <IconButton size="small" label="Copy link to this part" onClick={() => onLink(row.key)}>
      <Link2 />
    </IconButton>
  );
  const copy = onCopy && row.role === "person" && row.isFirst && row.messageId !== null && (
    <IconButton size="small" label="Go on from here as a copy" onClick={() => onCopy(row)}>
      <GitBranch />
    </IconButton>
  );
  return (
    <Band isPerson={row.role === "person"} isFirst={row.isFirst} isLast={row.isLast} isMarked={isMarked}>
      <div className="flex min-w-0 items-baseline gap-2 sm:block">
        {row.isFirst && (
          <>
            <Who row={row} agent={agent} person={person} />
            <When at={row.at} isGoingOn={isGoingOn} />
            {row.role === "agent" && (
              <span className="text-muted text-secondary sm:block">
                <Took span={row.span} isTicking={false} />
              </span>
            )}
          </>
        )}
        {copy && <span className="-my-1 ml-auto self-center sm:hidden">{copy}</span>}
      </div>
      <div className="min-w-0">
        <PartBody body={row.body} find={find} actions={isCall ? link : null} />
      </div>
      <div
        className={cx(
          "absolute top-1.5 right-2 flex rounded-control bg-inherit opacity-0 focus-within:opacity-100 group-hover/part:opacity-100 max-sm:hidden",
          isCall && "hidden",
        )}
      >
        {row.reply !== null && <CopyButton text={row.reply} what="the reply" />}
        {copy}
        {link}
      </div>
    </Band>
  );
});

type BandProps = {
  isPerson: boolean;
  isFirst: boolean;
  isLast: boolean;
  isMarked?: boolean;
  children: ReactNode;
};

/** The place of a row: the person's turns are a full-width sunken band, so that a long conversation is scanned by bands. */
export function Band({ isPerson, isFirst, isLast, isMarked = false, children }: BandProps) {
  return (
    <div
      className={cx(
        "group/part relative grid gap-x-3 gap-y-1 pr-5 pl-edge-left max-sm:pr-edge-left sm:grid-cols-[104px_minmax(0,1fr)]",
        isPerson ? "bg-surface-sunken" : "bg-surface",
        isPerson && isFirst && "border-t",
        isPerson && isLast && "border-b",
        isFirst ? "pt-3" : "pt-1",
        isLast ? "pb-4" : "pb-1",
        isMarked && "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]",
      )}
    >
      {children}
    </div>
  );
}

function Who({ row, agent, person }: { row: Row; agent: string; person: string }) {
  if (row.role === "other") {
    return (
      <code
        className="block max-w-full truncate rounded-mark border border-dashed border-state-unknown-line px-1 text-mono-narrow text-state-unknown-fg"
        title="Unknown role"
      >
        {shownName(row.rawRole)}
      </code>
    );
  }
  const name = row.role === "person" ? person : agent;
  return (
    <bdi className="truncate font-semibold sm:block" title={name}>
      {shownName(name)}
    </bdi>
  );
}

function When({ at, isGoingOn }: { at: string | null; isGoingOn: boolean }) {
  if (at === null) return null;
  return (
    <span className="text-muted text-secondary sm:block">
      {isGoingOn && "since "}
      <ClockTime at={at} />
    </span>
  );
}
