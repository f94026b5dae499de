import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { type More, usePages } from "../../../lib/paging/usePages.ts";
import { useWhole } from "../../../lib/paging/useWhole.ts";
import { artifactAccessQueries, readAccess } from "../../sharing/index.ts";

import { artifactPages, type SharedWhy } from "../queries.ts";
import { artifactsOf, rowName, type SharedRow } from "./shared-rows.ts";

/** How many rows are read at a time: who has access is one request each. */
const atOnce = 4;
/** So many are listed. */
const most = 1_000;

/** One of the two lists of what a person shares, page by page. */
function useSharedList(why: SharedWhy) {
  const api = useApi();
  const pages = usePages(artifactPages(api, { kind: "all", shared: why }));
  const { query: first, more, rows: listed } = pages;
  useWhole(pages, most);
  return {
    first,
    artifacts: useMemo(() => artifactsOf(listed), [listed]),
    damage: pages.damage,
    /** Null: all is read. Else why something is missing. */
    missing: missingOf(first.isError && !first.data, more, listed.length),
    readRest: () => (more === null ? void first.refetch() : more.read()),
  };
}

function missingOf(
  hasFailed: boolean,
  more: More | null,
  read: number,
): "failed" | "reading" | "too many" | null {
  if (hasFailed) return "failed";
  if (more === null) return null;
  if (more.error !== null) return "failed";
  return read >= most ? "too many" : "reading";
}

/** Everything that this person shares, with who has access to each as far as it is read. */
export function useShared() {
  const api = useApi();
  const given = useSharedList("by hand");
  const through = useSharedList("through a team");
  const { first, artifacts } = given;
  const known = new Set(artifacts.map(({ id }) => id));
  // A service that does not know the question answers with everything: only what it calls a share is one.
  const teams = through.artifacts.filter(({ id, sharing }) => sharing?.made_for_team_id && !known.has(id));

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
  const rowOf = (artifact: SharedRow["artifact"], isThroughTeam: boolean): SharedRow => {
    const read = byId.get(artifact.id);
    return {
      artifact,
      name: rowName(artifact),
      isThroughTeam,
      access: read?.data ? readAccess(read.data.data.access) : null,
      error: read?.error ?? null,
      isReading: read?.isPending === true,
    };
  };
  const rows = [
    ...artifacts.map((artifact) => rowOf(artifact, false)),
    ...teams.map((artifact) => rowOf(artifact, true)),
  ];
  return {
    queryKey: first.queryKey,
    first,
    /** The first page of what goes through teams. */
    throughTeams: through.first,
    rows,
    damage: [...given.damage, ...through.damage],
    /** Every row was read or could not be: only then may rows change places. */
    isSettled: rows.every(({ isReading }) => !isReading),
    missing: through.first.isPending ? ("reading" as const) : (given.missing ?? through.missing),
    readRest: () => {
      for (const list of [given, through]) if (list.missing === "failed") list.readRest();
    },
    readRow: (id: string) => void byId.get(id)?.refetch(),
  };
}
