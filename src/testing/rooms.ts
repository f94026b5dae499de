/** One room of the source tree: a folder, and what its files may import beside the files of the same room. */
export interface Room {
  /** Folder or single file, from the root. The longest match decides. */
  readonly at: string;
  /** Rooms, folders or single files that it may import. `X/*` means everything below X. */
  readonly may: readonly string[];
  /** Packages that it may import; absent: any. */
  readonly packages?: readonly (string | RegExp)[];
}

const contract = "src/contract";
const inConsole = (...names: string[]) => names.map((name) => `src/console/${name}`);
const inService = (...names: string[]) => names.map((name) => `src/service/${name}`);

const react = [/^react($|\/)/, /^react-dom($|\/)/];

/**
 * The areas of the console, each with the areas that it uses. It does so through their `index.ts` alone, and none of them
 * comes back to it: the first ones know nothing of the others.
 */
export const consoleAreas: Readonly<Record<string, readonly string[]>> = {
  session: [],
  directory: ["session"],
  history: ["session"],
  retention: ["session"],
  admin: ["directory", "session"],
  sharing: ["session"],
  runs: ["directory", "session"],
  mcp: ["directory", "inbox", "session"],
  inbox: ["directory", "runs", "session"],
  conversations: ["directory", "inbox", "session"],
  artifacts: ["conversations", "directory", "session", "sharing"],
  recipient: ["artifacts"],
  knowledge: ["artifacts", "directory", "session"],
  agents: ["artifacts", "conversations", "directory", "inbox", "knowledge", "mcp", "runs", "session"],
  evaluations: ["agents", "conversations", "directory", "session"],
  search: ["artifacts", "directory", "runs"],
  overview: ["artifacts", "conversations", "directory", "evaluations", "inbox", "knowledge", "mcp", "runs"],
};

const consoleRooms: readonly Room[] = [
  // One part at a time: the index of the package has them all (`scripts/build/chunks.ts`).
  { at: "src/console/ui", may: [], packages: [...react, /^radix-ui\//, /^lucide-react($|\/)/] },
  { at: "src/console/api", may: [contract] },
  { at: "src/console/lib", may: [contract, ...inConsole("api", "ui")] },
  ...Object.entries(consoleAreas).map(([area, uses]) => ({
    at: `src/console/areas/${area}`,
    may: [
      contract,
      ...inConsole("api", "lib", "ui"),
      ...uses.map((used) => `src/console/areas/${used}/index.ts`),
    ],
  })),
  // Puts everything together: entries, routes, the frame around all pages.
  { at: "src/console/app", may: [contract, "src/console/*"] },
  // The page for strangers: no session, no history, no router.
  {
    at: "src/console/app/recipient.tsx",
    may: inConsole("api", "lib", "areas/recipient", "areas/artifacts/worker"),
  },
];

/** The words in which the service's rooms talk to each other: the context, who calls, how one refuses, when one gives up. */
const seams = inService(
  ...[
    "any-signal.ts",
    "context.ts",
    "config.ts",
    "meters.ts",
    "service-error.ts",
    "areas/handler.ts",
    "traceparent.ts",
  ],
);

const serviceRooms: readonly Room[] = [
  // Where everything is put together.
  { at: "src/service/main.ts", may: [contract, "src/service/*"] },
  { at: "src/service/cli", may: [contract, "src/service/*"] },
  { at: "src/service/service.ts", may: [contract, "src/service/*"] },
  { at: "src/service/kinds.ts", may: [contract, "src/service/*"] },
  { at: "src/service/background.ts", may: [contract, "src/service/*"] },
  { at: "src/service/context.ts", may: [contract, "src/service/*"] },
  // What is known everywhere.
  { at: "src/service/config.ts", may: [] },
  { at: "src/service/service-error.ts", may: [contract] },
  { at: "src/service/json.ts", may: [] },
  { at: "src/service/json-pieces.ts", may: inService("json.ts") },
  { at: "src/service/meters.ts", may: [] },
  { at: "src/service/count-text.ts", may: [] },
  { at: "src/service/make-folder.ts", may: inService("store/store-error.ts") },
  { at: "src/service/data-directory.ts", may: inService("make-folder.ts") },
  { at: "src/service/limiter.ts", may: [] },
  { at: "src/service/time-slices.ts", may: inService("limiter.ts") },
  { at: "src/service/byte-room.ts", may: [] },
  { at: "src/service/event-loop-turn.ts", may: [] },
  { at: "src/service/any-signal.ts", may: [] },
  { at: "src/service/deferred.ts", may: [] },
  { at: "src/service/time-limit.ts", may: [] },
  { at: "src/service/windows-1252.ts", may: [] },
  { at: "src/service/recurring.ts", may: [] },
  { at: "src/service/traceparent.ts", may: [] },
  // Requests.
  {
    at: "src/service/http",
    may: [
      contract,
      ...seams,
      ...inService("byte-room.ts", "areas", "credentials", "files", "guessing", "json.ts", "oauth", "oidc"),
      ...inService("limiter.ts", "event-loop-turn.ts"),
      ...inService("audit/entry.ts", "mcp/client-metadata.ts", "permission/roles.ts", "permission/scopes.ts"),
      ...inService("store/bounded-map.ts", "store/generation.ts", "store/store-error.ts"),
    ],
  },
  {
    at: "src/service/areas",
    may: [
      contract,
      ...seams,
      ...inService(
        "agents",
        "audit",
        "byte-room.ts",
        "credentials",
        "doctor",
        "engine",
        "evaluations",
        "files",
        "guessing",
        "json.ts",
        "json-pieces.ts",
        "knowledge",
      ),
      ...inService(
        "mcp",
        "models",
        "nodes",
        "permission",
        "pipelines",
        "questions",
        "retention",
        "search",
        "store",
      ),
      ...inService("oauth", "oidc", "event-loop-turn.ts", "workspace"),
    ],
  },
  // Who changed what: written with each change, chained, verified.
  {
    at: "src/service/audit",
    may: [contract, ...seams, ...inService("credentials", "recurring.ts", "store")],
  },
  // The one door before every secret that a stranger can send.
  {
    at: "src/service/guessing",
    may: [contract, ...seams, ...inService("audit", "recurring.ts", "store")],
  },
  { at: "src/service/permission", may: [contract, ...seams, ...inService("store")] },
  {
    at: "src/service/credentials",
    may: [contract, ...seams, ...inService("data-directory.ts", "guessing", "limiter.ts", "store")],
  },
  // What runs.
  {
    at: "src/service/engine",
    may: [
      contract,
      ...seams,
      ...inService("byte-room.ts", "deferred.ts", "json.ts", "recurring.ts", "store"),
    ],
  },
  {
    at: "src/service/pipelines",
    may: [
      contract,
      ...seams,
      ...inService(
        "engine",
        "files",
        "time-slices.ts",
        "json.ts",
        "json-pieces.ts",
        "limiter.ts",
        "nodes",
        "outgoing",
        "permission",
        "questions",
      ),
      ...inService("store", "time-limit.ts", "traces/span-keys.ts"),
    ],
  },
  // What turns and flows ask people, and the answers.
  {
    at: "src/service/questions",
    may: [contract, ...seams, ...inService("engine", "json.ts", "mcp/server-question.ts", "store")],
  },
  // Reads what turns said, asks models what it was worth.
  {
    at: "src/service/evaluations",
    may: [
      contract,
      ...seams,
      ...inService("agents", "engine", "json.ts", "limiter.ts", "models", "store", "time-limit.ts"),
    ],
  },
  {
    at: "src/service/knowledge",
    may: [
      contract,
      ...seams,
      ...inService("agents/tools/arguments.ts", "engine", "files", "json.ts", "limiter.ts"),
      ...inService("nodes/services.ts", "permission", "store", "windows-1252.ts"),
    ],
  },
  {
    // What nodes reach is put together here: flows ask agents, agents run flows.
    at: "src/service/pipelines/services.ts",
    may: [contract, ...seams, ...inService("agents", "mcp", "nodes", "permission", "pipelines", "store")],
  },
  {
    // A node knows the text, values and files of a run, not its plan.
    at: "src/service/nodes",
    may: [
      contract,
      ...seams,
      ...inService("pipelines/run-files.ts"),
      ...inService("engine", "files", "json.ts", "limiter.ts", "mcp", "outgoing", "permission/actor.ts"),
      ...inService("questions", "store"),
    ],
  },
  {
    at: "src/service/agents",
    may: [
      contract,
      ...seams,
      ...inService("engine", "files", "json.ts", "limiter.ts", "mcp", "models", "nodes/services.ts"),
      ...inService("outgoing", "permission", "questions", "recurring.ts", "store", "time-limit.ts"),
      "src/service/traces/span-keys.ts",
    ],
  },
  // Reads what runs and turns said.
  {
    at: "src/service/search",
    may: [
      contract,
      ...seams,
      ...inService("agents", "json.ts", "event-loop-turn.ts", "recurring.ts", "store"),
    ],
  },
  // Deletes what has been kept for long enough.
  {
    at: "src/service/retention",
    may: [contract, ...seams, ...inService("agents", "files", "recurring.ts", "store")],
  },
  // Looks at an installation from outside.
  {
    at: "src/service/doctor",
    may: [
      ...seams,
      ...inService(
        "credentials",
        "files",
        "http",
        "json.ts",
        "mcp",
        "models",
        "oidc",
        "outgoing",
        "store",
        "workspace",
      ),
      "src/service/audit/chain.ts",
      "src/service/traces/send.ts",
    ],
  },
  // Reads and writes whole installations.
  {
    at: "src/service/backup",
    may: [...seams, ...inService("credentials", "data-directory.ts", "files", "store")],
  },
  // Tries on a copy what a newer release would do to a database.
  { at: "src/service/upgrade", may: [...seams, ...inService("backup", "store")] },
  // Counts what others do, for whoever asks for it.
  {
    at: "src/service/metrics",
    may: [...seams, ...inService("files", "mcp", "models", "store")],
  },
  // Tells a collector what the journal knows, where somebody asks for it.
  {
    at: "src/service/traces",
    may: [
      ...seams,
      ...inService("agents/parts.ts", "engine", "nodes/each.ts", "outgoing", "recurring.ts", "store"),
    ],
  },
  // What the machine is talked to with.
  {
    at: "src/service/models",
    may: [contract, ...seams, ...inService("byte-room.ts", "json.ts", "limiter.ts", "outgoing")],
  },
  {
    at: "src/service/mcp",
    may: [
      contract,
      ...seams,
      ...inService("byte-room.ts", "credentials/sealer.ts", "limiter.ts", "json.ts", "outgoing", "store"),
    ],
  },
  {
    at: "src/service/outgoing",
    may: [...inService("byte-room.ts", "json.ts", "limiter.ts", "windows-1252.ts")],
  },
  {
    at: "src/service/files",
    may: [
      contract,
      ...seams,
      ...inService(
        "credentials/signer.ts",
        "make-folder.ts",
        "outgoing/outgoing-error.ts",
        "outgoing/retry-after.ts",
      ),
      ...inService("recurring.ts", "store"),
    ],
  },
  {
    at: "src/service/store",
    may: [
      contract,
      ...inService(
        "any-signal.ts",
        "context.ts",
        "data-directory.ts",
        "json.ts",
        "limiter.ts",
        "event-loop-turn.ts",
      ),
      ...inService("recurring.ts"),
    ],
  },
  {
    at: "src/service/workspace",
    may: [
      contract,
      ...seams,
      ...inService(
        "agents",
        "audit",
        "count-text.ts",
        "credentials",
        "files",
        "json.ts",
        "mcp",
        "models",
        "nodes",
      ),
      ...inService("oauth", "oidc", "outgoing", "pipelines", "store"),
    ],
  },
  // Lets programs act for people: OAuth 2.1.
  {
    at: "src/service/oauth",
    may: [
      contract,
      ...seams,
      ...inService("audit", "credentials", "limiter.ts", "outgoing", "recurring.ts", "store"),
    ],
  },
  // Signs people in with the organisation's identity provider, and asks it again.
  {
    at: "src/service/oidc",
    may: [
      contract,
      ...seams,
      ...inService("audit", "credentials", "guessing", "limiter.ts", "outgoing", "store"),
    ],
  },
];

/** Every room of `src` and who may import whom, as ARCHITECTURE.md draws it. */
export const rooms: readonly Room[] = [
  { at: contract, may: [], packages: ["zod/mini"] },
  ...consoleRooms,
  ...serviceRooms,
  { at: "src/testing", may: ["src/*"] },
];
