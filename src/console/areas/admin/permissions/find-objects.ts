import type { permissionObjects } from "../../../../contract/admin.ts";
import { listKeys } from "../../../../contract/admin-keys.ts";
import { listAdminTeams } from "../../../../contract/admin-teams.ts";
import { listEvaluations } from "../../../../contract/evaluations.ts";
import { listSources } from "../../../../contract/knowledge.ts";
import { listMcpServers } from "../../../../contract/mcp.ts";
import { search } from "../../../../contract/search.ts";
import { call } from "../../../api/client.ts";
import { type ReadPage, walkPages } from "../../../api/pages.ts";
import type { Api } from "../../../lib/api.tsx";

export type PermissionObject = (typeof permissionObjects)[number];

/** So many characters a search needs, and so many of what it finds are offered. */
export const foundLeast = 3;
export const foundMost = 6;

/** Something that can be asked about, as a search finds it. */
interface FoundObject {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly at: string | null | undefined;
}

/**
 * What is called so among what the person may see: by the search of everything, teams by their list, and what neither finds by
 * looking through its list.
 * @param q a part of the name, of at least `foundLeast` characters
 */
export async function findObjects(
  api: Api,
  kind: PermissionObject,
  q: string,
  signal: AbortSignal,
): Promise<readonly FoundObject[]> {
  const page_size = foundMost + 1;
  switch (kind) {
    case "team": {
      const { data } = await call(api, listAdminTeams, { query: { search: q, page_size } }, { signal });
      return (data.teams ?? []).flatMap((team) => found(team?.id, team?.name));
    }
    case "mcp_server": {
      const { data } = await call(api, listMcpServers, { query: {} }, { signal });
      const servers = (data.servers ?? []).flatMap((one) => found(one?.server_id, one?.name));
      return servers.filter(calledSo(q));
    }
    case "source":
      return await lookThrough(q, async (page) => {
        const { data } = await call(api, listSources, { query: page }, { signal });
        const rows = (data.sources ?? []).flatMap((one) => found(one?.id, one?.name, one?.created_at));
        return { rows, cursor: data.next_cursor || null };
      });
    case "evaluation":
      return await lookThrough(q, async (page) => {
        const { data } = await call(api, listEvaluations, { query: page }, { signal });
        const rows = (data.evaluations ?? []).flatMap((one) => found(one?.id, one?.name, one?.created_at));
        return { rows, cursor: data.next_cursor || null };
      });
    case "key":
      return await lookThrough(q, async (page) => {
        const { data } = await call(api, listKeys, { query: page }, { signal });
        const rows = (data.keys ?? []).flatMap((one) => found(one?.id, one?.name, one?.created_at));
        return { rows, cursor: data.next_cursor || null };
      });
    default: {
      const { data } = await call(api, search, { query: { q, kinds: kind, page_size } }, { signal });
      return (data.hits ?? []).flatMap((hit) => found(hit?.id, hit?.name, hit?.at));
    }
  }
}

/** Nothing for what came without an id. */
function found(
  id: string | null | undefined,
  name?: string | null,
  at?: string | null,
): readonly FoundObject[] {
  return id ? [{ id, name, at }] : [];
}

const calledSo =
  (q: string) =>
  ({ name }: FoundObject) =>
    name?.toLowerCase().includes(q.toLowerCase()) ?? false;

/** So many pages of a list are looked through. */
const mostPages = 10;

async function lookThrough(
  q: string,
  read: (page: { page_size: number; cursor?: string }) => ReturnType<ReadPage<FoundObject>>,
): Promise<readonly FoundObject[]> {
  const hits: FoundObject[] = [];
  let pages = 0;
  const readPage: ReadPage<FoundObject> = (cursor) =>
    read({ page_size: 100, ...(cursor !== null && { cursor }) });
  for await (const { rows } of walkPages(readPage, ({ id }) => id)) {
    hits.push(...rows.filter(calledSo(q)));
    pages += 1;
    if (hits.length > foundMost || pages === mostPages) break;
  }
  return hits;
}
