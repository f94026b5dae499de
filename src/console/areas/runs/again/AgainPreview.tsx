import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { previewRunAgain } from "../../../../contract/run-again.ts";
import type { DataOf } from "../../../api/client.ts";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { hasFailed, type Read } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { counted, grouped } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import type { AgainSearch } from "../search.ts";
import {
  type AgainGroup,
  type AgainNodeIn,
  type GroupKind,
  groupsOf,
  remarkOn,
  repeatsOf,
  repeatWords,
} from "./preview-groups.ts";

type LevelIn = NonNullable<NonNullable<Received<DataOf<typeof previewRunAgain>>["runs"]>[number]>;
export interface Level {
  readonly run: LevelIn;
  readonly nodes: readonly AgainNodeIn[];
}

type Props = {
  runId: string;
  read: Read<unknown>;
  /** The run at the top first. */
  levels: readonly Level[];
  /** What is shown is not what is asked for by now. */
  isBehind: boolean;
  chosen: AgainSearch;
};

/** What a start would do, step by step: what runs again, what may run for the first time, what is reused. */
export function AgainPreview({ runId, read, levels, isBehind, chosen }: Props) {
  const repeats = repeatsOf(levels.map(({ nodes }) => nodes));
  return (
    <div aria-busy={isBehind}>
      <header className="border-b px-edge-left py-3">
        <h2 className="font-semibold">What happens</h2>
        <p className="text-muted text-secondary">Updates as you choose. Nothing has started.</p>
      </header>
      {hasFailed(read) ? (
        <div className="px-edge-left">
          <ReadFailure query={read} what="The preview" isInset />
        </div>
      ) : read.data === undefined ? (
        <SkeletonRows label="Working out what it would do" rows={6} columns={["14px", "1fr"]} />
      ) : levels.length === 0 ? (
        <p className="px-edge-left py-3 text-muted">Nothing can run like this.</p>
      ) : (
        <div className={cx(isBehind && "opacity-60")}>
          {repeats.length > 0 && (
            <Notice kind="waits" title={`${counted(repeats.length, "step")} may happen twice`}>
              {repeatWords(repeats)}
            </Notice>
          )}
          {levels.map(({ run, nodes }, depth) => (
            <LevelOf
              key={run.run_id ?? depth}
              id={run.run_id ?? runId}
              title={levels.length > 1 ? levelTitle(run, depth) : null}
              nodes={nodes}
              chosen={run.run_id === runId ? chosen.node : undefined}
              search={chosen}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function levelTitle({ saved_item_name, saved_item_id }: LevelIn, depth: number): ReactNode {
  const name = shownName(saved_item_name || saved_item_id || "a run");
  return depth === 0 ? (
    <>
      <bdi>{name}</bdi> <span className="font-normal text-muted">the run at the top</span>
    </>
  ) : (
    <>
      <bdi>{name}</bdi> <span className="font-normal text-muted">its sub-run</span>
    </>
  );
}

type LevelProps = {
  /** The run, whose steps can be chosen. */
  id: string;
  title: ReactNode;
  nodes: readonly AgainNodeIn[];
  chosen: string | undefined;
  search: AgainSearch;
};

function LevelOf({ id, title, ...rest }: LevelProps) {
  return (
    <section className="border-b py-3 last:border-b-0" aria-label={`Steps of ${id}`}>
      {title !== null && <h3 className="px-edge-left pb-1.5 font-semibold">{title}</h3>}
      {groupsOf(rest.nodes).map((group) => (
        <GroupOf key={group.kind} group={group} id={id} Heading={title === null ? "h3" : "h4"} {...rest} />
      ))}
    </section>
  );
}

const titles: Record<GroupKind, string> = {
  again: "Run again",
  first_time: "Not reached before",
  reused: "Reused",
  other: "Other",
};
const abouts: Record<GroupKind, string> = {
  again: "",
  first_time: "a condition may skip them",
  reused: "nothing is called",
  other: "",
};
/** So many stand there at once; what is reused matters least. */
const shownAtOnce: Record<GroupKind, number> = { again: 40, first_time: 12, reused: 8, other: 12 };

function GroupOf({
  group: { kind, nodes },
  id,
  chosen,
  search,
  Heading,
}: Omit<LevelProps, "title" | "nodes"> & { group: AgainGroup; Heading: "h3" | "h4" }) {
  const [isWhole, setWhole] = useState(false);
  const most = shownAtOnce[kind];
  // Not for the sake of one or two.
  const shown = isWhole || nodes.length <= most + 2 ? nodes : nodes.slice(0, most);
  return (
    <div className="pb-2 last:pb-0">
      <Heading className="flex items-baseline gap-1.5 px-edge-left py-1 text-secondary">
        <span className="font-medium">{titles[kind]}</span>
        <span className="text-muted tabular-nums">{grouped(nodes.length)}</span>
        {abouts[kind] !== "" && (
          <span className="min-w-0 flex-1 truncate text-right text-faint">{abouts[kind]}</span>
        )}
      </Heading>
      <ul>
        {shown.map((node) => (
          <Row key={node.id} {...{ node, kind, id, search }} isChosen={node.id === chosen} />
        ))}
      </ul>
      {shown.length < nodes.length && (
        <p className="px-edge-left pt-1 text-secondary">
          <button type="button" className={plainLinkClass} onClick={() => setWhole(true)}>
            Show all {grouped(nodes.length)}
          </button>
        </p>
      )}
    </div>
  );
}

type RowProps = { node: AgainNodeIn; kind: GroupKind; id: string; search: AgainSearch; isChosen: boolean };

/** One step; it leads to the same page with that step chosen. */
function Row({ node, kind, id, search, isChosen }: RowProps) {
  const remark = remarkOn(node);
  const twice = node.may_repeat === true;
  return (
    <li>
      <Link
        to="/runs/$runId/again"
        params={{ runId: id }}
        search={{ node: node.id, flow: search.flow }}
        replace
        title={`Run again from ${shownName(node.id)}`}
        {...(isChosen && { "aria-current": "step" as const })}
        className={cx(
          "focus-inset flex min-h-6 items-center gap-2 px-edge-left hover:bg-surface-hover",
          isChosen && "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]",
        )}
      >
        <span
          className={cx(
            "min-w-0 flex-1 truncate",
            kind === "reused" && "text-muted",
            isChosen && "font-medium",
          )}
        >
          {shownName(node.id)}
          {node.type && <span className="text-faint text-secondary"> {node.type}</span>}
        </span>
        {remark !== null && <span className="shrink-0 text-muted text-secondary tabular-nums">{remark}</span>}
        {twice ? (
          <span className="shrink-0 text-secondary text-state-stopped-fg">may happen twice</span>
        ) : (
          node.outside === true && <span className="shrink-0 text-muted text-secondary">reaches outside</span>
        )}
      </Link>
    </li>
  );
}
