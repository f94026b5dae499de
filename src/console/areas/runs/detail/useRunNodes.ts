import { useCallback, useMemo } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { useTimeReader } from "../../../lib/time/clock.tsx";
import { parseTime } from "../../../lib/time/format.ts";
import { formatTime } from "../../../lib/time/format-time.ts";
import type { NodeSpan } from "../log/timeline.ts";
import { type NodeIn, nodeQueries } from "./node-queries.ts";
import { type NodeRow, rowsOfLog, rowsOfService } from "./node-rows.ts";

/**
 * What the service says of a run's nodes; null where it does not, or cannot read the flow that was run: then the log tells.
 * @param isRead the run itself was read: its log comes first
 */
export function useRunNodes(runId: string, isRead: boolean): readonly NodeIn[] | null {
  const api = useApi();
  const can = useCan("run_nodes");
  const { data } = useRead({ ...nodeQueries.all(api, runId), enabled: can && isRead });
  const answer = data?.data;
  return useMemo(() => {
    if (!answer?.readable) return null;
    return (answer.nodes ?? []).filter((node): node is NodeIn => typeof node?.id === "string");
  }, [answer]);
}

/** A time of the service (ISO 8601) as the page writes it. */
export function useTimeOf(): (iso: string) => string {
  const { zone, now } = useTimeReader();
  return useCallback(
    (iso) => {
      const ms = parseTime(iso);
      return ms === null ? iso : formatTime(ms, { zone, now });
    },
    [zone, now],
  );
}

/** The nodes of a run: of the service where it tells them, else of the log. */
export function useNodeRows(nodes: readonly NodeIn[] | null, spans: readonly NodeSpan[]): readonly NodeRow[] {
  const timeOf = useTimeOf();
  return useMemo(
    () => (nodes === null ? rowsOfLog(spans) : rowsOfService(nodes, spans, timeOf)),
    [nodes, spans, timeOf],
  );
}
