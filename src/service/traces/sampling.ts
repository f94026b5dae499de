import type { TraceSettings } from "../config.ts";
import type { TraceParent } from "../traceparent.ts";

/** Of the end of the id, which is random: as many digits as numbers hold exactly. */
const randomDigits = 13;
const most = 2 ** (randomDigits * 4);

/**
 * Whether a trace is kept. All parts of one trace are or are not, whoever decides: it follows from the trace's id.
 * @param parent what the caller said; null: nothing
 */
export function isSampled(
  { isParentBased, ratio }: TraceSettings["sampler"],
  parent: Pick<TraceParent, "isSampled"> | null,
  traceId: string,
): boolean {
  if (isParentBased && parent !== null) return parent.isSampled;
  return Number.parseInt(traceId.slice(-randomDigits), 16) < ratio * most;
}
