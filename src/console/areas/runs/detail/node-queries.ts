import type { Received } from "../../../../contract/define.ts";
import {
  getRunNode,
  listRunNodeItems,
  listRunNodes,
  type RunNode,
  type RunNodeItem,
} from "../../../../contract/run-nodes.ts";
import { type PageForm, paged } from "../../../api/paged.ts";
import { watchList, watchRun } from "../../../api/poll.ts";
import { readOptions } from "../../../api/read.ts";
import type { Api } from "../../../lib/api.tsx";
import { isMoving } from "../../../lib/run-state.ts";

/** A node as it may really come; one without an id is left out. */
export type NodeIn = Received<RunNode> & { readonly id: string };

/** An item of an `each` as it may really come; one without a number is left out. */
export type NodeItemIn = Received<RunNodeItem> & { readonly index: number };

const itemPage: PageForm<typeof listRunNodeItems, NodeItemIn> = {
  pageOf: (data) => ({
    rows: (data.items ?? []).filter((row): row is NodeItemIn => typeof row?.index === "number"),
    cursor: data.next_cursor || null,
  }),
  idOf: ({ index }) => String(index),
};

/** Reads about the nodes of one run (own, `can("run_nodes")`). */
export const nodeQueries = {
  /** Every node with its state, as often as the run itself is read. */
  all: (api: Api, runId: string) =>
    readOptions(
      api,
      listRunNodes,
      { params: { run_id: runId } },
      { policy: watchRun, moving: (data) => isMoving(data.state ?? null) },
    ),

  /** What went in and came out. @param whole also where it is large */
  one: (api: Api, runId: string, nodeId: string, how: { item?: number; whole?: boolean; moves: boolean }) =>
    readOptions(
      api,
      getRunNode,
      {
        params: { run_id: runId, node_id: nodeId },
        query: { ...(how.item !== undefined && { item: how.item }), ...(how.whole && { whole: true }) },
      },
      { policy: watchList, moving: () => how.moves },
    ),

  /** The items of an `each`, page by page. @param state only those; undefined: all */
  items: (api: Api, runId: string, nodeId: string, state: string | undefined, moves: boolean) =>
    paged(
      api,
      listRunNodeItems,
      (page) => ({
        params: { run_id: runId, node_id: nodeId },
        query: { page_size: 100, ...(state !== undefined && { state }), ...page },
      }),
      itemPage,
      { policy: watchList, moving: () => moves },
    ),
};
