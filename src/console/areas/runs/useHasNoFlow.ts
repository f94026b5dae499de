import { useQuery } from "@tanstack/react-query";
import { useApi, useCan } from "../../lib/api.tsx";
import { flowQueries } from "./flow-queries.ts";

/** Whether the service lists its flows, and has none for this person. */
export function useHasNoFlow(): boolean {
  const flows = useQuery({ ...flowQueries.list(useApi()), enabled: useCan("saved_items") });
  return flows.data?.data.saved_items?.length === 0;
}
