import { queryOptions } from "@tanstack/react-query";
import { listAdminTeams } from "../../../../contract/admin-teams.ts";
import { call } from "../../../api/client.ts";
import { walkPages } from "../../../api/pages.ts";
import { keyOf } from "../../../api/read.ts";
import type { Api } from "../../../lib/api.tsx";
import type { TeamRow } from "../queries.ts";

/** So many teams are offered to choose from. */
const mostTeams = 1_000;

/** The teams in use, of all pages: one is chosen from a list, so that each has to be in it. */
export const teamsToChoose = (api: Api) =>
  queryOptions({
    queryKey: [...keyOf(api, listAdminTeams), "to choose"],
    queryFn: async ({ signal }) => {
      const read = async (cursor: string | null) => {
        const query = { page_size: 100, ...(cursor !== null && { cursor }) };
        const { data } = await call(api, listAdminTeams, { query }, { signal });
        const rows = (data.teams ?? []).flatMap((row): TeamRow[] =>
          row?.id ? [{ ...row, id: row.id }] : [],
        );
        return { rows, cursor: data.next_cursor || null };
      };
      const rows: TeamRow[] = [];
      let isCut = false;
      for await (const page of walkPages(read, ({ id }) => id)) {
        rows.push(...page.rows);
        isCut = page.cursor !== null;
        if (rows.length >= mostTeams) break;
      }
      return { rows, isCut };
    },
    retry: false,
  });
