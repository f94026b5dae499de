import { mutationOptions, queryOptions } from "@tanstack/react-query";
import type { Call, Received } from "../../../contract/define.ts";
import {
  createEvaluation,
  deleteEvaluation,
  type Evaluation,
  type EvaluationResult,
  getEvaluationConfig,
  getEvaluationMetrics,
  listEvaluationResults,
  listEvaluations,
  runEvaluations,
  updateEvaluationConfig,
} from "../../../contract/evaluations.ts";
import { getEvaluation, listRubricResults, updateEvaluation } from "../../../contract/rubric-edit.ts";
import { call, type DataOf } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { walkPages } from "../../api/pages.ts";
import { slow } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";

export type EvaluationConfigChange = NonNullable<Call<typeof updateEvaluationConfig>["body"]>;
export type EvaluationToMake = NonNullable<Call<typeof createEvaluation>["body"]>;
export type ResultIn = Received<EvaluationResult> & { readonly evaluation_id: string };

/** Results of a period, newest first, as far as they were read. */
export interface ResultsRead {
  readonly results: readonly ResultIn[];
  /** There are more than were read. */
  readonly isCut: boolean;
}

/** So many results are read of a period; what is told of them says when that was not all. */
const mostResults = 1_000;
const pageSize = 100;

const resultPage = rowsIn<typeof listEvaluationResults, ResultIn>("evaluations", "evaluation_id");

/** The results of an agent since a moment (ISO 8601), newest first, page by page. */
const resultPages = (api: Api, agentId: string, since: string) =>
  paged(
    api,
    listEvaluationResults,
    (page) => ({
      params: { agent_id: agentId },
      query: { created_after: since, page_size: pageSize, ...page },
    }),
    resultPage,
  );

/** A saved rubric as it may really come; one without an id is left out. */
export type RubricIn = Received<Evaluation> & { readonly id: string };

const rubricPage = rowsIn<typeof listEvaluations, RubricIn>("evaluations", "id");

/** The saved rubrics, page by page (public, `can("evaluations")`). */
export const rubricPages = (api: Api) =>
  paged(
    api,
    listEvaluations,
    (page) => ({ query: { ...teamScope(api), page_size: pageSize, ...page } }),
    rubricPage,
    { policy: slow },
  );

export type RubricChange = NonNullable<Call<typeof updateEvaluation>["body"]>;

type ResultOf = NonNullable<NonNullable<DataOf<typeof listRubricResults>["evaluations"]>[number]>;
/** A result of a rubric as it may really come; one without an id is left out. */
export type RubricResultIn = Received<ResultOf> & { readonly evaluation_id: string };

const rubricResultPage = rowsIn<typeof listRubricResults, RubricResultIn>("evaluations", "evaluation_id");

/** What a rubric found, newest first, page by page (own, `can("rubric_edit")`). */
export const rubricResultPages = (api: Api, rubricId: string) =>
  paged(
    api,
    listRubricResults,
    (page) => ({ params: { evaluation_id: rubricId }, query: { page_size: 50, ...page } }),
    rubricResultPage,
    { policy: slow },
  );

/** Reads about evaluations. */
export const evaluationQueries = {
  /** Grades and tags of an agent's sessions in the last `days`, 1 to 365 (§4.10). */
  metrics: (api: Api, agentId: string, days: number) =>
    readOptions(
      api,
      getEvaluationMetrics,
      { params: { agent_id: agentId }, query: { days } },
      { policy: slow, staleTime: 30_000 },
    ),

  /** How an agent is evaluated (§4.11). */
  config: (api: Api, agentId: string) =>
    readOptions(api, getEvaluationConfig, { params: { agent_id: agentId } }, { staleTime: 5_000 }),

  /**
   * All results of an agent since a moment (ISO 8601), page by page (public, `can("evaluation_results")`).
   * @param stamp changes when they are to be read anew: what the metrics counted
   */
  results: (api: Api, agentId: string, since: string, stamp: string) =>
    queryOptions({
      queryKey: [...keyOf(api, listEvaluationResults), "since", agentId, since, stamp],
      queryFn: async ({ signal }): Promise<ResultsRead> => {
        const { read, idOf } = resultPages(api, agentId, since);
        const results: ResultIn[] = [];
        let isCut = false;
        for await (const page of walkPages((cursor) => read(cursor, { signal }), idOf)) {
          results.push(...page.rows);
          isCut = page.cursor !== null;
          if (results.length >= mostResults) break;
        }
        return { results, isCut };
      },
      staleTime: 30_000,
      placeholderData: (before) => before,
    }),

  /** One result, where the list of the period does not have it. */
  result: (api: Api, agentId: string, evaluationId: string) =>
    readOptions(api, listEvaluationResults, {
      params: { agent_id: agentId },
      query: { evaluation_id: evaluationId },
    }),

  /** One saved rubric, with how much it judged lately (own, `can("rubric_edit")`). */
  rubric: (api: Api, rubricId: string) =>
    readOptions(api, getEvaluation, { params: { evaluation_id: rubricId } }, { policy: slow }),
};

/** What is done to evaluations. */
export const evaluationMutations = {
  /** Changes how an agent is evaluated; lists that are sent replace. */
  configure: (api: Api, agentId: string) =>
    mutationOptions({
      mutationFn: (change: EvaluationConfigChange) =>
        call(api, updateEvaluationConfig, { params: { agent_id: agentId }, body: change }),
      onSettled: (_answer, _error, _change, _made, { client }) =>
        readAgain(api, client, [getEvaluationConfig]),
    }),

  /** Evaluates sessions now. */
  run: (api: Api, agentId: string) =>
    mutationOptions({
      mutationFn: (sessionIds: readonly string[]) =>
        call(api, runEvaluations, { params: { agent_id: agentId }, body: { session_ids: [...sessionIds] } }),
      onSettled: (_answer, _error, _ids, _made, { client }) =>
        readAgain(api, client, [getEvaluationMetrics, listEvaluationResults]),
    }),

  /** Saves a rubric. */
  create: (api: Api) =>
    mutationOptions({
      mutationFn: (rubric: EvaluationToMake) => call(api, createEvaluation, { body: rubric }),
      onSettled: (_answer, _error, _rubric, _made, { client }) => readAgain(api, client, [listEvaluations]),
    }),

  /** Deletes a saved rubric (§4.13): it stops running; its results stay with their sessions. */
  remove: (api: Api) =>
    mutationOptions({
      mutationFn: (evaluationId: string) =>
        call(api, deleteEvaluation, { params: { evaluation_id: evaluationId } }),
      onSettled: (_answer, _error, _id, _made, { client }) => readAgain(api, client, [listEvaluations]),
    }),

  /** Changes a saved rubric, or switches it on or off; what it was is read anew, also where somebody else was first. */
  change: (api: Api, rubricId: string) =>
    mutationOptions({
      mutationFn: (change: RubricChange) =>
        call(api, updateEvaluation, { params: { evaluation_id: rubricId }, body: change }),
      onSettled: (_answer, _error, _change, _made, { client }) =>
        readAgain(api, client, [getEvaluation, listEvaluations]),
    }),
};
