import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../lib/api/api-context.tsx";
import { modelQueries } from "../../directory/index.ts";

/** The models that this caller may choose, as `model_name` takes them; none as long as that is not known. */
export function useOfferedModels(): readonly string[] {
  const { data } = useQuery(modelQueries.list(useApi()));
  const options = (data?.data.model_groups ?? []).flatMap((group) => group?.options ?? []);
  return options.flatMap((option) => (option?.value && option.restricted !== true ? [option.value] : []));
}
