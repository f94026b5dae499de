import { useEffect, useEffectEvent } from "react";
import type { Endpoint } from "../../../contract/define.ts";
import type { Pages } from "./usePages.ts";

/** Reads a list on by itself, until that many rows are there, or no more, or it fails. */
export function useWhole(
  { rows, more, query }: Pick<Pages<Endpoint, unknown>, "rows" | "more" | "query">,
  most: number,
) {
  const isWanted =
    !query.isPrevious && more !== null && !more.isReading && more.error === null && rows.length < most;
  const read = useEffectEvent(() => more?.read());
  useEffect(() => {
    if (isWanted) read();
  }, [isWanted]);
}
