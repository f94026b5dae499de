import type { EndpointName } from "../../contract/endpoints.ts";
import { fileName, flowOf } from "./objects.ts";
import { claim } from "./people.ts";
import { files, listed, type Question, refusedWith, visible } from "./questions.ts";

/** The operations of pipelines and their runs. */
export const runOperations = {
  startPipeline: [
    {
      object: "flow",
      asks: (id, who) => ({ query: { saved_item_id: id, ...claim(who) }, body: {} }),
      rows: visible,
    },
    {
      about: "a flow, all named in the body",
      object: "flow",
      asks: (id, who) => ({ body: { saved_item_id: id, ...claim(who) } }),
      rows: visible,
    },
  ],
  getRun: [{ object: "run", asks: (id, who) => ({ query: { run_id: id, ...claim(who) } }), rows: visible }],
  killPipeline: [
    { object: "run", asks: (id, who) => ({ body: { run_id: id, ...claim(who) } }), rows: visible },
  ],
  listRuns: [{ object: "run", asks: () => ({ query: { page_size: "100" } }), rows: listed, list: true }],
  listRunNodes: [{ object: "run", asks: (id) => ({ params: { run_id: id } }), rows: visible }],
  getRunNode: [{ object: "run", asks: (id) => ({ params: { run_id: id, node_id: "name" } }), rows: visible }],
  listRunNodeItems: [
    { object: "run", asks: (id) => ({ params: { run_id: id, node_id: "name" } }), rows: visible },
  ],
  previewRunAgain: [{ object: "run", asks: (id) => ({ params: { run_id: id }, body: {} }), rows: visible }],
  runAgain: [
    {
      about: "a run whose flow they may not start",
      object: "run",
      asks: (id) => ({ params: { run_id: id }, body: {} }),
      rows: refusedWith("invalid_body", visible),
    },
  ],
  getRunDetails: [{ object: "run", asks: (id) => ({ params: { run_id: id } }), rows: visible }],
  listRunsBySavedItem: [
    {
      object: "run",
      asks: (id, who) => ({ query: { saved_item_id: flowOf(id), ...claim(who) } }),
      rows: listed,
      list: true,
    },
  ],
  listSavedItems: [{ object: "flow", asks: (_, who) => ({ query: claim(who) }), rows: listed, list: true }],
  getInputs: [
    { object: "flow", asks: (id, who) => ({ query: { saved_item_id: id, ...claim(who) } }), rows: visible },
  ],
  downloadFiles: (["run", "interaction"] as const).map(
    (object): Question => ({
      about: `a file of ${object}`,
      object,
      asks: (id, who) => ({ body: { run_id: id, file_names: [fileName], ...claim(who) } }),
      rows: files,
    }),
  ) as [Question, Question],
} as const satisfies Partial<Record<EndpointName, readonly [Question, ...Question[]]>>;
