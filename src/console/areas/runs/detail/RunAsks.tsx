import { Link } from "@tanstack/react-router";
import type { Received } from "../../../../contract/define.ts";
import type { RunDetails } from "../../../../contract/run.ts";
import { useCan } from "../../../lib/api.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { linkClass } from "../../../ui/textClass.ts";

type Props = { runId: string; approvals: Received<RunDetails>["approvals"] };

/** So many are named; the rest is counted. */
const named = 3;

/** What a run waits for people to answer, each with the way to it. */
export function RunAsks({ runId, approvals }: Props) {
  const canAnswer = useCan("inbox");
  const asked = (approvals ?? []).flatMap((one) => (one?.inbox_id ? [one] : []));
  if (asked.length === 0) return null;
  const isOfServers = asked.every(({ kind }) => kind === "server");
  return (
    <Notice kind="waits" title={isOfServers ? "Waiting for an answer" : "Waiting for approval"}>
      <ul className="flex flex-col gap-0.5">
        {asked.slice(0, named).map((one) => (
          <li key={one.inbox_id} className="min-w-0 break-words">
            {canAnswer ? (
              <Link to="/inbox/$itemId" params={{ itemId: one.inbox_id ?? "" }} className={linkClass}>
                <bdi>{shownName(one.title || "Open the question")}</bdi>
              </Link>
            ) : (
              <bdi>{shownName(one.title || "A question")}</bdi>
            )}
            <span className="text-muted text-secondary">
              {" "}
              {one.run_id && one.run_id !== runId && "in a sub-run, "}asked <Ago at={one.asked_at} />
            </span>
          </li>
        ))}
        {asked.length > named && <li className="text-muted">and {counted(asked.length - named, "other")}</li>}
      </ul>
    </Notice>
  );
}
