import type { QueryKey } from "@tanstack/react-query";
import { useReadAt } from "../useRead.ts";
import { Ago } from "./Time.tsx";

/** How long ago a read brought an answer; nothing before it did. Alone it is drawn anew at each poll. */
export function ReadAgo({ of }: { of: QueryKey }) {
  const at = useReadAt(of);
  return at > 0 ? <Ago at={new Date(at).toISOString()} /> : null;
}
