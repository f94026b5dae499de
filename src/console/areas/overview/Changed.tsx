import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { shownName } from "../../lib/shownName.ts";
import { formatMoment, formatTime } from "../../lib/time/format.ts";
import { linkClass } from "../../ui/linkClass.ts";
import { PanelSection } from "../../ui/Panel.tsx";
import { artifactQueries } from "../artifacts/index.ts";
import { agentQueries } from "../directory/index.ts";
import type { RunRow } from "../runs/index.ts";

import { changesOf } from "./changes.ts";

const most = 8;
/** A length in words, which stands in one line. */
const aLength = /\d[\d.]*(?: [dhm] \d+)? (?:ms|[dhms])\b/g;
const unbroken = (words: string): string => words.replaceAll(" ", "\u00a0");

/** What changed in the last day, as far as the service tells it: flows that were done, files, new agents. */
export function Changed({ rows, now }: { rows: readonly RunRow[]; now: number }) {
  const api = useApi();
  const { zone } = usePreferences();
  const artifacts = useQuery({ ...artifactQueries.all(api), enabled: useCan("artifacts") });
  const agents = useQuery(agentQueries.list(api));
  const changes = changesOf(
    {
      rows,
      artifacts: artifacts.data?.data.artifacts ?? [],
      agents: agents.data?.data.agents ?? [],
    },
    now,
  );
  return (
    <PanelSection
      title="Changed"
      aside={
        <Link to="/runs" search={{ started: "24h" }} className={linkClass}>
          All runs
        </Link>
      }
    >
      {changes.length === 0 && <p className="text-muted">Nothing in the last 24 hours.</p>}
      {changes.length > 0 && (
        <ul className="flex flex-col gap-2 max-sm:gap-5">
          {changes.slice(0, most).map((change) => (
            <li key={change.key} className="flex gap-3.5">
              <time
                dateTime={new Date(change.at).toISOString()}
                title={formatMoment(change.at, { zone })}
                className="w-12 shrink-0 text-muted text-secondary leading-5 tabular-nums"
              >
                {formatTime(change.at, { zone, now }, "minute")}
              </time>
              <p className="min-w-0 break-words text-secondary leading-5">
                <span className="font-medium">
                  {change.link === null ? (
                    shownName(change.subject)
                  ) : (
                    <Link {...change.link} className="hit hover:underline">
                      {shownName(change.subject)}
                    </Link>
                  )}
                </span>{" "}
                <span className="text-muted">{change.does.replaceAll(aLength, unbroken)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {changes.length > most && (
        <p className="pt-2 text-faint text-secondary">{changes.length - most} more are not shown</p>
      )}
    </PanelSection>
  );
}
