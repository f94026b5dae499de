import { z } from "zod";
import { agentSettingsChange } from "../../contract/agent-settings.ts";
import { boundedText, list, name, sectionSize, textLimits } from "../../contract/limits.ts";
import { firstProblem } from "../../contract/problems.ts";
import { installationRoles, teamRoles } from "../../contract/roles.ts";
import { nodeId } from "../nodes/node.ts";
import { signIn } from "../oidc/settings.ts";
import { node } from "../pipelines/definition.ts";

/** The files of a workspace folder. Unknown fields are errors: a misspelt one must not mean nothing. */

const id = (prefix: string) =>
  z
    .string()
    .min(1, "must not be empty")
    .max(64, "must be at most 64 characters long")
    .regex(/^[A-Za-z0-9_-]*$/, "must hold letters, digits, - and _ only")
    .meta({ description: `Fixed for ever, such as ${prefix}_example.` });
/** A name in a file: what stands around it is not meant. */
const shortText = z.string().trim().pipe(name);
const longText = boundedText(textLimits.description);
const plan = z
  .enum(["free", "pro", "enterprise"])
  .meta({ description: "API keys need pro or above (§5.3)." });
const keyVariable = z
  .string()
  .regex(
    /^\$\{[A-Z][A-Z0-9_]*\}$/,
    "must name a variable, such as $" + "{WHEELHOUSE_ADA_KEY}: keys never stand in files",
  )
  .meta({
    description:
      "The environment variable that holds the key. Where it is unset, a key is made at the first start.",
  });

const maxRunning = z
  .int("must be a whole number")
  .min(1, "must be 1 at least")
  .max(1_000, "must be 1,000 at most")
  .optional()
  .meta({ description: "How many runs and conversations go at the same time; without it 50. Others wait." });

const person = z.strictObject({
  id: id("user"),
  email: z.email().max(200),
  first_name: shortText,
  last_name: shortText,
  plan,
  role: z.enum(installationRoles).optional().meta({
    description:
      "In the whole installation: admin or member. Without it the console may say so; where no one is an admin, the first person is.",
  }),
  key: keyVariable.optional(),
  max_running: maxRunning,
});

/** Who is in a team: an id, which is an editor, or an id with a role. */
const member = z.union([z.string(), z.strictObject({ id: z.string(), role: z.enum(teamRoles) })]);
export type Member = z.output<typeof member>;

/** The id and the role of a member, however the file says it. */
export function readMember(written: Member) {
  return typeof written === "string" ? ({ id: written, role: "editor" } as const) : written;
}

const team = z.strictObject({
  id: id("team"),
  name: shortText,
  plan,
  members: z.array(member).min(1).meta({
    description: "Ids of people, who are editors, or an id with a role: viewer, operator, editor or admin.",
  }),
  key: keyVariable.optional(),
  max_running: maxRunning,
});

/** As it is written: `90d`, `12w`, `1y`, `forever`. */
const keepFor = z
  .string()
  .regex(
    /^(?:[1-9]\d{0,3}[dwy]|forever)$/,
    "must be a number of days, weeks or years such as 90d, 12w or 1y, or forever",
  )
  .optional();
const ruleOf = (what: string) =>
  keepFor.meta({ description: `How long ${what} are kept after their end: 90d, 12w, 1y or forever.` });
const retentionRules = {
  runs: ruleOf("runs that did not fail"),
  failed_runs: ruleOf("failed runs"),
  conversations: keepFor.meta({ description: "How long conversations are kept after their last message." }),
  run_files: ruleOf("the files of runs"),
  search_index: keepFor.meta({ description: "How long what runs and conversations say can be searched." }),
};
const retention = z.strictObject({
  ...retentionRules,
  audit: keepFor.meta({ description: "How long the audit log is kept, of everyone." }),
  teams: z
    .record(z.string(), z.strictObject(retentionRules))
    .default({})
    .meta({ description: "Other times for what belongs to a team, by its id." }),
});

const floor = z
  .record(z.string().min(1, "must not be empty").max(300), z.enum(["ask", "never"]))
  .default({})
  .meta({
    description:
      "What agents cannot go below, by tool: ask (a person agrees to each call) or never. * stands for any characters, as in github__*.",
  });
const approvals = z.strictObject({
  tools: floor,
  teams: z
    .record(
      z.string(),
      z.strictObject({
        tools: floor,
        operators: z
          .array(z.string())
          .min(1)
          .optional()
          .meta({ description: "Ids of members who answer for the team; without it every member does." }),
      }),
    )
    .default({})
    .meta({ description: "What holds for a team beside that, by its id." }),
});

/** `wheelhouse.yaml` */
export const wheelhouseFile = z.strictObject({
  description: z.optional(longText),
  people: z.array(person).min(1),
  teams: z.array(team).default([]),
  allow_private: z
    .array(z.string().regex(/^[^\s/:@]+:\d{1,5}$|^\[[0-9a-fA-F:.]+\]:\d{1,5}$/, "must be host:port"))
    .default([])
    .meta({ description: "host:port pairs of this machine or network that flows and agents may reach." }),
  retention: retention
    .default({ teams: {} })
    .meta({ description: "What is deleted by itself, and when. What is not named here is kept for ever." }),
  approvals: approvals
    .default({ tools: {}, teams: {} })
    .meta({ description: "Which calls of tools a person must agree to, whatever an agent says." }),
  programs: z
    .strictObject({
      metadata_documents: z.boolean().default(true).meta({
        description:
          "Whether programs that no admin has registered may ask people, described by a document at their own address.",
      }),
    })
    .default({ metadata_documents: true })
    .meta({ description: "Which programs may ask people to act for them." }),
  sign_in: signIn.optional().meta({
    description:
      "Sign-in with the organisation's identity provider (OpenID Connect), and what its groups give.",
  }),
});
export type WheelhouseFile = z.output<typeof wheelhouseFile>;

const owned = {
  owner: z.string().optional().meta({ description: "The id of a person." }),
  team: z.string().optional().meta({ description: "The id of a team; without one it is the owner's alone." }),
};
const ownedBySomebody = (file: { owner?: string | undefined; team?: string | undefined }) => {
  return file.owner !== undefined || file.team !== undefined;
};
const ownerMissing = { error: "must name an owner or a team", path: ["owner"] };

const flowHead = {
  id: id("flow"),
  name: shortText,
  description: z._default(longText, ""),
  ...owned,
};

/** `flows/*.yaml` */
export const flowFile = z
  .strictObject({ ...flowHead, nodes: z.record(nodeId, node) })
  .refine(ownedBySomebody, ownerMissing);

/** The same with nodes of any fields, so that each can then be read by the schema of its own type. */
export const flowShell = z
  .strictObject({ ...flowHead, nodes: z.record(z.string(), z.looseObject({ type: z.string() })) })
  .refine(ownedBySomebody, ownerMissing);

const typed = z.looseObject({ type: z.string().min(1) });
/** Within the limits that a request has (docs/interface.md, section 8). */
const metadata = z
  .record(z.string(), z.json())
  .check(sectionSize)
  .check(({ value, issues }) => {
    const found = agentSettingsChange.safeParse(value).error?.issues ?? [];
    issues.push(
      ...found.map((issue) => {
        const message = firstProblem([issue], value).problem;
        return { code: "custom" as const, path: issue.path, message, input: value };
      }),
    );
  });

/** `agents/*.yaml`. Tools and resources are kept as they are: their types are open (§4.14). */
export const agentFile = z.strictObject({
  id: id("agent"),
  name: shortText,
  description: z.nullable(longText).default(null),
  owner: z.string().meta({ description: "The id of a person." }),
  team: owned.team,
  model_name: z
    .string()
    .regex(/^[^/\s]+\/\S+$/, "must be <provider>/<model>")
    .optional()
    .meta({ description: "Where it is missing: the first connected model, else the built-in one." }),
  system_prompt: z.nullable(boundedText(textLimits.systemPrompt)).default(null),
  tools: z._default(list(typed, textLimits.tools).check(sectionSize), []),
  resources: z._default(list(typed, textLimits.resources).check(sectionSize), []),
  metadata: metadata.default({}),
});
export type AgentFile = z.output<typeof agentFile>;

/** `knowledge/<folder>/source.yaml`; the other files of the folder are the source's documents. */
export const sourceFile = z
  .strictObject({
    id: id("source"),
    name: shortText,
    owner: z.string().meta({ description: "The id of a person." }),
    team: owned.team,
    scope: z.enum(["personal", "team", "organization"]).default("personal"),
  })
  .refine(({ scope, team }) => scope !== "team" || team !== undefined, {
    error: "must name the team, because the scope is team",
    path: ["team"],
  });
export type SourceFile = z.output<typeof sourceFile>;
