import { auditGuards } from "./audit.ts";
import { backupGuards } from "./backup.ts";
import { clockGuards } from "./clocks.ts";
import { commandGuards } from "./commands.ts";
import { consoleGuards } from "./console.ts";
import { engineGuards } from "./engine.ts";
import { fairnessGuards } from "./fairness.ts";
import { filesGuards } from "./files.ts";
import type { Guard } from "./guard.ts";
import { guessingGuards } from "./guessing.ts";
import { httpGuards } from "./http.ts";
import { knowledgeGuards } from "./knowledge.ts";
import { largeAnswerGuards } from "./large-answers.ts";
import { mcpGuards } from "./mcp.ts";
import { modelGuards } from "./models.ts";
import { oauthGuards } from "./oauth.ts";
import { oidcGuards } from "./oidc.ts";
import { outgoingGuards } from "./outgoing.ts";
import { permissionGuards } from "./permission.ts";
import { questionGuards } from "./questions.ts";
import { sharingGuards } from "./sharing.ts";
import { templateGuards } from "./templates.ts";
import { traceGuards } from "./traces.ts";
import { upgradeGuards } from "./upgrade.ts";

/** Every guard of the product that a unit test can see: `npm run guards` switches off one after the other. */
export const guards: readonly Guard[] = [
  ...permissionGuards,
  ...engineGuards,
  ...fairnessGuards,
  ...outgoingGuards,
  ...httpGuards,
  ...largeAnswerGuards,
  ...modelGuards,
  ...backupGuards,
  ...commandGuards,
  ...filesGuards,
  ...auditGuards,
  ...mcpGuards,
  ...oauthGuards,
  ...oidcGuards,
  ...guessingGuards,
  ...questionGuards,
  ...upgradeGuards,
  ...templateGuards,
  ...clockGuards,
  ...traceGuards,
  ...sharingGuards,
  ...knowledgeGuards,
  ...consoleGuards,
];
