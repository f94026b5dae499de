import { mutationOptions } from "@tanstack/react-query";
import type { Call, Endpoint, Received } from "../../../contract/define.ts";
import {
  answerInboxItem,
  countInbox,
  getAgentApprovals,
  getInboxItem,
  type InboxItem,
  type InboxSummary,
  listInbox,
} from "../../../contract/inbox.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { call } from "../../api/client.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { watchList } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";
import type { InboxSearch } from "./search.ts";

/** A question of a list as it may really come; one without an id is left out. */
export type QuestionIn = Received<InboxSummary> & { readonly id: string };
/** One question with all that is needed to decide. */
export type QuestionDetailsIn = Received<InboxItem>;

const questionPage = rowsIn<typeof listInbox, QuestionIn>("items", "id");

type Filters = {
  readonly state: "waiting" | "answered";
  /** Only what this person may answer. */
  readonly mine?: boolean;
  /** Without it the oldest first. */
  readonly order?: "dearest";
};

/** What a page of the inbox shows, by its address. */
export const shownFilters = ({ state, order }: InboxSearch): Filters => ({
  state: state ?? "waiting",
  ...(order && { order }),
});

/** What waits, oldest or dearest first, or what was answered, newest first, page by page (own, `can("inbox")`). */
export const questionPages = (api: Api, filters: Filters) =>
  paged(
    api,
    listInbox,
    (page) => ({ query: { ...filters, page_size: 50, ...page } }),
    questionPage,
    // What waits can be answered by somebody else at any time.
    { policy: watchList, moving: ({ items }) => filters.state === "waiting" && (items ?? []).length > 0 },
  );

/** The questions that this person may answer, oldest first. */
export const waitingForMe = (api: Api) => questionPages(api, { state: "waiting", mine: true });

/** Reads about the inbox. Own: ask `can("inbox")` first. */
export const inboxQueries = {
  /** One question; looked at often while it waits. */
  one: (api: Api, id: string) =>
    readOptions(
      api,
      getInboxItem,
      { params: { item_id: id } },
      { policy: watchList, moving: ({ item }) => item?.state === "waiting" },
    ),

  /** How many wait for this person. Asked for by no page: its first read waits for its turn (C-36). */
  count: (api: Api) => readOptions(api, countInbox, {}, { policy: watchList, inBackground: true }),

  /** What an agent's own settings cannot go below, and whom they may name. */
  approvals: (api: Api, agentId: string) =>
    readOptions(api, getAgentApprovals, { params: { agent_id: agentId } }, { staleTime: 30_000 }),
};

export interface AnswerToSend {
  readonly id: string;
  readonly body: Call<typeof answerInboxItem>["body"];
}

/** What is done in the inbox. */
export const inboxMutations = {
  /** Answers a question. The same answer of the same person again is no error, so a lost one can be sent again. */
  answer: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, answerInboxItem)],
      mutationFn: async ({ id, body }: AnswerToSend) => {
        const { data } = await call(api, answerInboxItem, { params: { item_id: id }, body });
        return data.item;
      },
      onSuccess: (item, { id }, _made, { client }) => {
        if (!item) return;
        client.setQueryData(inboxQueries.one(api, id).queryKey, (old) =>
          old ? { ...old, data: { ...old.data, item } } : old,
        );
      },
      // Also after a refusal: a 409 means that somebody else was first.
      onSettled: (_answer, _error, _sent, _made, { client }) => readAgain(api, client, told),
    }),
};

const told: readonly Endpoint[] = [
  listInbox,
  countInbox,
  getInboxItem,
  getSession,
  listSessions,
  agentStatus,
];
