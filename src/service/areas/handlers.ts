import type { endpoints } from "../../contract/endpoints.ts";
import { access } from "./access.ts";
import { agents } from "./agents.ts";
import { artifacts } from "./artifacts.ts";
import { capabilityHandlers } from "./capabilities.ts";
import { consoleHandlers } from "./console.ts";
import { evaluations } from "./evaluations.ts";
import { files } from "./files.ts";
import { flows } from "./flows.ts";
import type { Handlers } from "./handler.ts";
import { interactions } from "./interactions.ts";
import { knowledge } from "./knowledge.ts";
import { mcp } from "./mcp.ts";
import { models } from "./models.ts";
import { runs } from "./runs.ts";
import { sessions } from "./sessions.ts";
import { teamHandlers } from "./teams.ts";

/**
 * The function behind each endpoint of the table. What is missing here has no route, is not named by
 * `GET /capabilities`, and answers 404 like any other unknown address.
 */
export const allHandlers: Partial<Handlers<typeof endpoints>> = {
  ...access,
  ...agents,
  ...artifacts,
  ...capabilityHandlers(() => Object.keys(allHandlers)),
  ...consoleHandlers,
  ...evaluations,
  ...files,
  ...flows,
  ...interactions,
  ...knowledge,
  ...mcp,
  ...models,
  ...runs,
  ...sessions,
  ...teamHandlers,
};
