import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../lib/api.tsx";
import { modelQueries } from "../directory/index.ts";

/** The models that the service offers this caller, by their groups. */
export function useModels() {
  const read = useQuery(modelQueries.list(useApi()));
  const groups = (read.data?.data.model_groups ?? []).flatMap((group) => {
    const options = (group?.options ?? []).flatMap((option) =>
      option?.value
        ? [
            {
              value: option.value,
              label: option.label || option.value,
              isRestricted: option.restricted === true,
            },
          ]
        : [],
    );
    return group ? [{ label: group.label ?? "", options }] : [];
  });
  const options = groups.flatMap((group) => group.options);
  return { read, groups, options };
}

/** Whether a model is still offered to this caller; true as long as that is not known. */
export function useIsOffered(): (model: string) => boolean {
  const { options } = useModels();
  const offered = new Set(options.map(({ value }) => value));
  return (model) => offered.size === 0 || offered.has(model);
}
