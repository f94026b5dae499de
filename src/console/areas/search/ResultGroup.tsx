import MessageSquare from "lucide-react/icons/message-square";
import { memo, type ReactNode, useId, useState } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import { HitRow } from "./HitRow.tsx";
import type { Looked } from "./search-run.ts";
import { TargetLink } from "./TargetLink.tsx";

/** So many places of one object are shown at first. */
const atFirst = 4;

type Props = {
  looked: Looked;
  /** What is searched for; undefined for a pattern. */
  text: string | undefined;
};

/** The places in one run or conversation. */
export const ResultGroup = memo(function ResultGroup({ looked, text }: Props) {
  const { target, hits, found, agentId } = looked;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? hits : hits.slice(0, atFirst);
  return (
    <Group
      icon={
        target.kind === "run" ? (
          <StateShape tone={describeState(runStates, target.state).tone} />
        ) : (
          <MessageSquare className="text-muted" />
        )
      }
      name={
        <TargetLink target={target} agentId={agentId} isPlain>
          <bdi>{shownName(target.name)}</bdi>
        </TargetLink>
      }
      detail={target.detail}
      count={counted(found, "place")}
      remark={<Ago at={target.at} />}
    >
      {shown.map((hit) => (
        <li key={`${hit.kind} ${hit.at} ${hit.label}`}>
          <HitRow hit={hit} looked={looked} text={text} />
        </li>
      ))}
      {(shown.length < hits.length || (isWhole && hits.length < found)) && (
        <li className="flex items-center border-b py-1 pr-edge-right pl-edge-left text-muted text-secondary">
          {shown.length < hits.length ? (
            <Button variant="quiet" size="small" className="-ml-2" onClick={() => setWhole(true)}>
              Show {(hits.length - shown.length).toLocaleString("en-GB")} more
            </Button>
          ) : (
            `The first ${hits.length.toLocaleString("en-GB")} of ${counted(found, "place")}`
          )}
        </li>
      )}
    </Group>
  );
});

/** A head and the rows under it. */
export function Group(props: {
  icon: ReactNode;
  name: ReactNode;
  detail?: string;
  count: ReactNode;
  remark?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <article aria-labelledby={id}>
      <div className="flex h-row-group items-center gap-2.5 border-b bg-surface-sunken pr-edge-right pl-edge-left">
        <span className="flex shrink-0">{props.icon}</span>
        <h2 id={id} className="min-w-0 truncate font-medium">
          {props.name}
        </h2>
        {props.detail && (
          <span className="min-w-0 shrink-[3] truncate text-muted text-secondary max-sm:hidden">
            <bdi>{shownName(props.detail)}</bdi>
          </span>
        )}
        <span className="whitespace-nowrap text-faint text-secondary tabular-nums">{props.count}</span>
        <span className="ml-auto whitespace-nowrap text-muted text-secondary">{props.remark}</span>
      </div>
      <ul>{props.children}</ul>
    </article>
  );
}
