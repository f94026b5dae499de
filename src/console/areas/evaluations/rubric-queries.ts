import { mutationOptions } from "@tanstack/react-query";
import type { Call, Received } from "../../../contract/define.ts";
import { listEvaluations } from "../../../contract/evaluations.ts";
import { getEvaluation, listRubricResults, updateEvaluation } from "../../../contract/rubric-edit.ts";
import { call, type DataOf } from "../../api/client.ts";
import { type PageForm, paged } from "../../api/paged.ts";
import { slow } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";

export type RubricChange = NonNullable<Call<typeof updateEvaluation>["body"]>;

type ResultOf = NonNullable<NonNullable<DataOf<typeof listRubricResults>["evaluations"]>[number]>;
/** A result of a rubric as it may really come; one without an id is left out. */
export type RubricResultIn = Received<ResultOf> & { readonly evaluation_id: string };

const resultPage: PageForm<typeof listRubricResults, RubricResultIn> = {
  pageOf: ({ evaluations, next_cursor }) => ({
    rows: (evaluations ?? []).filter((one): one is RubricResultIn => Boolean(one?.evaluation_id)),
    cursor: next_cursor || null,
  }),
  idOf: ({ evaluation_id }) => evaluation_id,
};

/** Reads about saved rubrics (own, `can("rubric_edit")`). */
export const rubricQueries = {
  /** One, with how much it judged lately. */
  one: (api: Api, rubricId: string) =>
    readOptions(api, getEvaluation, { params: { evaluation_id: rubricId } }, { policy: slow }),
};

/** What a rubric found, newest first, page by page (own, `can("rubric_edit")`). */
export const rubricResultPages = (api: Api, rubricId: string) =>
  paged(
    api,
    listRubricResults,
    (page) => ({ params: { evaluation_id: rubricId }, query: { page_size: 50, ...page } }),
    resultPage,
    { policy: slow },
  );

/** Acts on saved rubrics beyond making and deleting them. */
export const rubricMutations = {
  /** Changes one, or switches it on or off; what it was is read anew, also where somebody else was first. */
  change: (api: Api, rubricId: string) =>
    mutationOptions({
      mutationFn: (change: RubricChange) =>
        call(api, updateEvaluation, { params: { evaluation_id: rubricId }, body: change }),
      onSettled: (_answer, _error, _change, _made, { client }) => {
        api.polling.acted();
        return Promise.all(
          [getEvaluation, listEvaluations].map((endpoint) =>
            client.invalidateQueries({ queryKey: keyOf(api, endpoint) }),
          ),
        );
      },
    }),
};
