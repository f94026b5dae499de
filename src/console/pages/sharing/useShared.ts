import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { artifactAccessQueries } from "../../api/queries/artifact-access.ts";
import { artifactQueries } from "../../api/queries/artifacts.ts";
import { useApi } from "../../components/api-context.tsx";
import { readAccess } from "../../components/sharing/access.ts";
import { useCan } from "../../components/useCan.ts";
import { useRead } from "../../components/useRead.ts";
import { artifactsOf, rowName, type SharedRow } from "./shared-rows.ts";

/** How many rows are read at a time: who has access is one request each. */
const atOnce = 4;

/** Everything that this person shares, with who has access to each as far as it is read. */
export function useShared() {
  const api = useApi();
  const options = artifactQueries.all(api, {}, { kind: "all", sharedByMe: true });
  const first = useRead(options);
  const cursor = first.data?.data.next_cursor ?? null;
  const rest = useQuery({
    ...artifactAccessQueries.restOfShared(api, cursor ?? ""),
    enabled: cursor !== null,
  });
  const listed = first.data?.data.artifacts;
  const more = rest.data?.rows;
  const artifacts = useMemo(() => artifactsOf([...(listed ?? []), ...(more ?? [])]), [listed, more]);

  const canRead = useCan("artifact_access");
  // A link needs no more than the list says; names and addresses are read where somebody was named.
  const wanted = artifacts.filter(({ sharing }) => canRead && (!sharing || (sharing.people ?? 1) > 0));
  const turn = useQueries({
    queries: wanted.map(({ id }) => ({ ...artifactAccessQueries.ofRow(api, id), enabled: false })),
    combine: (reads) => reads.filter(({ isSuccess, isError }) => isSuccess || isError).length,
  });
  const reads = useQueries({
    queries: wanted.map(({ id }, index) => ({
      ...artifactAccessQueries.ofRow(api, id),
      enabled: index < turn + atOnce,
    })),
  });
  const byId = new Map(wanted.map(({ id }, index) => [id, reads[index]]));
  const rows: SharedRow[] = artifacts.map((artifact) => {
    const read = byId.get(artifact.id);
    return {
      artifact,
      name: rowName(artifact),
      access: read?.data ? readAccess(read.data.data.access) : null,
      error: read?.error ?? null,
      isReading: read?.isPending === true,
    };
  });
  return {
    queryKey: options.queryKey,
    first,
    rows,
    damage: first.data?.damage ?? [],
    /** Every row was read or could not be: only then may rows change places. */
    isSettled: rows.every(({ isReading }) => !isReading),
    /** Null: all is read. Else why something is missing. */
    missing:
      cursor === null || rest.data?.isWhole === true
        ? null
        : rest.isError
          ? ("failed" as const)
          : rest.data
            ? ("too many" as const)
            : ("reading" as const),
    readRest: () => void rest.refetch(),
    readRow: (id: string) => void byId.get(id)?.refetch(),
  };
}
