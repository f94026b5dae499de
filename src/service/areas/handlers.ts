import type { endpoints } from "../../contract/endpoints.ts";
import { access } from "./access.ts";
import { agentVersions } from "./agent-versions.ts";
import { agents } from "./agents.ts";
import { artifacts } from "./artifacts.ts";
import { capabilityHandlers } from "./capabilities.ts";
import { consoleHandlers } from "./console.ts";
import { evaluationResults } from "./evaluation-results.ts";
import { evaluations } from "./evaluations.ts";
import { files } from "./files.ts";
import { flows } from "./flows.ts";
import type { Handlers } from "./handler.ts";
import { interactions } from "./interactions.ts";
import { knowledge } from "./knowledge.ts";
import { mcp } from "./mcp.ts";
import { models } from "./models.ts";
import { rubrics } from "./rubrics.ts";
import { runs } from "./runs.ts";
import { sessions } from "./sessions.ts";
import { shared } from "./shared.ts";
import { teamHandlers } from "./teams.ts";

/**
 * Extensions of the table that this service does not have yet: they have no route and are not named by
 * `GET /capabilities`. No endpoint of the interface itself may stand here.
 */
type NotYet =
  | "listSources"
  | "getSource"
  | "getSourceEstimate"
  | "createSource"
  | "addSourceFiles"
  | "searchKnowledge";

/** The function behind each endpoint of the table; forgetting one is a compile error. */
export const allHandlers: Omit<Handlers<typeof endpoints>, NotYet> = {
  ...access,
  ...agents,
  ...agentVersions,
  ...artifacts,
  ...capabilityHandlers(() => Object.keys(allHandlers)),
  ...consoleHandlers,
  ...evaluationResults,
  ...evaluations,
  ...files,
  ...flows,
  ...interactions,
  ...knowledge,
  ...mcp,
  ...models,
  ...rubrics,
  ...runs,
  ...sessions,
  ...shared,
  ...teamHandlers,
};
