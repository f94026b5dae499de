import type { QueryKey } from "@tanstack/react-query";
import { Ago } from "./Time.tsx";
import { useReadAt } from "./useReadAt.ts";

/** How long ago a read brought an answer; nothing before it did. Alone it is drawn anew at each poll. */
export function ReadAgo({ of }: { of: QueryKey }) {
  const at = useReadAt(of);
  return at > 0 ? <Ago at={new Date(at).toISOString()} /> : null;
}
