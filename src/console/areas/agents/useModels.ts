import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { modelQueries } from "../directory/index.ts";

/** Whether a model is still offered to this caller; true as long as that is not known. */
export function useIsOffered(): (model: string) => boolean {
  const { data } = useQuery(modelQueries.list(useApi()));
  const offered = useMemo(() => {
    const options = (data?.data.model_groups ?? []).flatMap((group) => group?.options ?? []);
    return new Set(options.flatMap((option) => option?.value ?? []));
  }, [data]);
  return (model) => offered.size === 0 || offered.has(model);
}
