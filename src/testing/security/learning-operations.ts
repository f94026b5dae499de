import type { EndpointName } from "../../contract/endpoints.ts";
import { fileName } from "./objects.ts";
import {
  byAgent,
  everybody,
  listed,
  noAccess,
  nothingThere,
  ofAgent,
  type Parts,
  type Question,
  visible,
} from "./questions.ts";

const bySource = (id: string): Parts => ({ params: { source_id: id } });
const sourceSeen = { ...visible, everyones: "ok ok ok ok 404 404" };

/** The operations of evaluations, knowledge sources, retention and the search. */
export const learningOperations = {
  // Evaluations
  getEvaluationMetrics: [ofAgent],
  getEvaluationConfig: [ofAgent],
  updateEvaluationConfig: [
    { object: "agent", asks: (id) => ({ ...byAgent(id), body: { enabled: true } }), rows: visible },
  ],
  listEvaluationResults: [ofAgent],
  runEvaluations: [
    {
      object: "agent",
      asks: (id) => ({ ...byAgent(id), body: { session_ids: ["int_none"] } }),
      rows: visible,
    },
  ],
  listEvaluations: [
    { object: "evaluation", asks: () => ({ query: { page_size: "100" } }), rows: listed, list: true },
  ],
  createEvaluation: [
    {
      about: "a rubric of a team",
      object: "team",
      asks: (id) => ({ body: { name: "New", team_id: id } }),
      rows: {
        team: "ok ok ok 403 403 403",
        otherTeams: "403 403 403 ok 403 403",
        absent: "403 403 403 403 403 403",
      },
    },
  ],
  deleteEvaluation: [
    { object: "evaluation", asks: (id) => ({ params: { evaluation_id: id } }), rows: visible },
  ],
  getEvaluation: [{ object: "evaluation", asks: (id) => ({ params: { evaluation_id: id } }), rows: visible }],
  updateEvaluation: [
    {
      object: "evaluation",
      asks: (id) => ({ params: { evaluation_id: id }, body: { enabled: false } }),
      rows: visible,
    },
  ],
  listRubricResults: [
    { object: "evaluation", asks: (id) => ({ params: { evaluation_id: id } }), rows: visible },
  ],
  // Knowledge sources
  approveSource: [
    {
      object: "source",
      asks: (id) => ({ params: { source_id: id } }),
      // What is everybody's may be read by every person, and approved by the one who made it.
      rows: { ...visible, everyones: "403 403 403 ok 404 404" },
    },
  ],
  listSources: [
    {
      object: "source",
      asks: () => ({ query: { page_size: "100" } }),
      rows: { ...listed, everyones: "ok ok ok ok - -" },
      list: true,
    },
  ],
  getSource: [{ object: "source", asks: bySource, rows: sourceSeen }],
  getSourceEstimate: [{ object: "source", asks: bySource, rows: sourceSeen }],
  createSource: [
    {
      about: "a source of a team",
      object: "team",
      asks: (id) => ({ body: { name: "New", scope: "team", team_id: id } }),
      rows: {
        team: "ok ok ok 403 403 403",
        otherTeams: "403 403 403 ok 403 403",
        absent: "403 403 403 403 403 403",
      },
    },
  ],
  addSourceFiles: [
    {
      object: "source",
      asks: (id) => ({ ...bySource(id), body: { files: [{ file_name: "a.txt", file_content: "YQ==" }] } }),
      rows: { ...visible, everyones: "403 403 403 ok 404 404" },
    },
  ],
  deleteSource: [
    { object: "source", asks: bySource, rows: { ...visible, everyones: "403 403 403 ok 404 404" } },
  ],
  restoreSource: [{ about: "one that is not deleted", object: "source", asks: bySource, rows: nothingThere }],
  // Nothing that ended is there to be counted: src/service/retention/retention.test.ts asks who sees what.
  getRetention: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  keepRun: [
    { object: "run", asks: (id) => ({ params: { run_id: id }, body: { kept: true } }), rows: visible },
  ],
  keepConversation: [
    {
      object: "interaction",
      asks: (id) => ({ params: { interaction_id: id }, body: { kept: true } }),
      rows: visible,
      codes: { "404": "interaction_not_found" },
    },
  ],
  getDeletion: [
    { object: "deletion", asks: (id) => ({ params: { id } }), rows: visible },
    {
      about: "a conversation that is there",
      object: "interaction",
      asks: (id) => ({ params: { id } }),
      rows: nothingThere,
    },
  ],
  // What has ended is searched in src/service/areas/search.test.ts: nothing ends here.
  search: [
    {
      about: "agents",
      object: "agent",
      asks: () => ({ query: { q: "AGENT", kinds: "agent", page_size: "100" } }),
      rows: listed,
      list: true,
    },
    {
      about: "flows",
      object: "flow",
      asks: () => ({ query: { q: "flow", kinds: "flow", page_size: "100" } }),
      rows: listed,
      list: true,
    },
    {
      about: "artifacts",
      object: "artifact",
      asks: () => ({ query: { q: fileName, kinds: "artifact", page_size: "100" } }),
      rows: { ...listed, granted: "ok ok ok ok ok -" },
      list: true,
    },
  ],
  searchKnowledge: [
    {
      object: "passage",
      asks: (id) => ({ body: { query: "rope", source_ids: [id] } }),
      rows: { ...listed, everyones: "ok ok ok ok - -" },
      list: true,
    },
  ],
} as const satisfies Partial<Record<EndpointName, readonly [Question, ...Question[]]>>;
