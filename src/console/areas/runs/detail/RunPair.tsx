import { Link } from "@tanstack/react-router";
import type { Received } from "../../../../contract/define.ts";
import type { RunDetails } from "../../../../contract/run.ts";
import { useCan } from "../../../lib/api.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted, grouped } from "../../../lib/words.ts";
import { middleCut } from "../../../ui/Id.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { RunState } from "../RunState.tsx";

type Props = { runId: string; of: Received<RunDetails>["again_of"]; by: Received<RunDetails>["again_by"] };

/** So many are named; the rest is counted. */
const named = 3;

/** The run that went again as this one, and those as which this one went again, each with the way to compare the two. */
export function RunPair({ runId, of, by }: Props) {
  const can = useCan("run_again");
  const later = (by ?? []).flatMap((one) => (one?.run_id ? [{ ...one, run_id: one.run_id }] : []));
  if (!can || (!of?.run_id && later.length === 0)) return null;
  return (
    <section
      aria-label="Related runs"
      className="flex shrink-0 flex-col gap-0.5 border-b py-2 pr-edge-right pl-edge-left text-muted text-secondary"
    >
      {of?.run_id && (
        <p>
          Run again of <RunLink id={of.run_id} />
          {placeOf(of)} · <CompareLink a={of.run_id} b={runId} />
        </p>
      )}
      {later.slice(0, named).map((one) => (
        <p key={one.run_id} className="flex flex-wrap items-center gap-x-1.5">
          Ran again as <RunLink id={one.run_id} />
          <RunState state={one.state ?? null} />
          <span>
            <Ago at={one.created_ts} /> · <CompareLink a={runId} b={one.run_id} />
          </span>
        </p>
      ))}
      {later.length > named && <p>and {counted(later.length - named, "earlier time")}</p>}
    </section>
  );
}

function RunLink({ id }: { id: string }) {
  return (
    <Link to="/runs/$runId" params={{ runId: id }} className={linkClass} title={id}>
      <code className="text-mono-narrow">{middleCut(id, 10, 4)}</code>
    </Link>
  );
}

function CompareLink({ a, b }: { a: string; b: string }) {
  return (
    <Link to="/runs/compare" search={{ a, b }} className={linkClass}>
      Compare
    </Link>
  );
}

function placeOf({ node, item }: NonNullable<Props["of"]>): string {
  if (!node) return ", from where it stopped";
  return `, from ${shownName(node)}${typeof item === "number" ? ` item ${grouped(item)}` : ""}`;
}
