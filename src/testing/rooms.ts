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

/** What the console knows without showing anything. */
const knowledge = inConsole("agents", "api", "session", "history", "log", "workers");
const react = [/^react($|\/)/, /^react-dom($|\/)/];

const consoleRooms: readonly Room[] = [
  { at: "src/console/ui", may: [], packages: [...react, "radix-ui", /^@radix-ui\//, /^lucide-react($|\/)/] },
  // What the lines of a log mean: read in the worker, shown by components.
  { at: "src/console/log", may: [] },
  // An agent as a value: drafts, their merge, their comparison.
  { at: "src/console/agents", may: [contract, ...inConsole("history")] },
  { at: "src/console/workers", may: [contract, ...inConsole("api", "log")] },
  { at: "src/console/api", may: [contract, ...inConsole("history", "workers")] },
  { at: "src/console/session", may: [contract, ...inConsole("api", "history", "workers")] },
  { at: "src/console/history", may: [contract, ...inConsole("api/ids.ts", "api/store.ts")] },
  { at: "src/console/components", may: [contract, ...knowledge, ...inConsole("ui")] },
  { at: "src/console/pages", may: [contract, ...knowledge, ...inConsole("ui", "components")] },
  {
    at: "src/console/routes",
    may: [contract, ...knowledge, ...inConsole("ui", "components", "pages", "router.tsx")],
  },
  { at: "src/console/router.tsx", may: [contract, "src/console/*"] },
  { at: "src/console/main.tsx", may: [contract, "src/console/*"] },
  // The page for strangers: no session, no history, no router.
  { at: "src/console/recipient.tsx", may: inConsole("api", "components", "pages/recipient") },
];

/** The words in which the service's rooms talk to each other: the context, who calls, how one refuses. */
const seams = inService("context.ts", "config.ts", "service-error.ts", "areas/handler.ts");

const serviceRooms: readonly Room[] = [
  // Where everything is put together.
  { at: "src/service/main.ts", may: [contract, "src/service/*"] },
  { at: "src/service/cli", may: [contract, "src/service/*"] },
  { at: "src/service/service.ts", may: [contract, "src/service/*"] },
  { at: "src/service/context.ts", may: [contract, "src/service/*"] },
  // What is known everywhere.
  { at: "src/service/config.ts", may: [] },
  { at: "src/service/service-error.ts", may: [contract] },
  { at: "src/service/json.ts", may: [] },
  { at: "src/service/limiter.ts", may: [] },
  { at: "src/service/recurring.ts", may: [] },
  // Requests.
  {
    at: "src/service/http",
    may: [
      contract,
      ...seams,
      ...inService("areas", "credentials", "files"),
      ...inService("store/generation.ts", "store/store-error.ts"),
    ],
  },
  {
    at: "src/service/areas",
    may: [
      contract,
      ...seams,
      ...inService("agents", "credentials", "engine", "evaluations", "files", "json.ts", "knowledge", "mcp"),
      ...inService("models", "nodes", "permission", "pipelines", "store", "workspace"),
    ],
  },
  { at: "src/service/permission", may: [contract, ...seams, ...inService("store")] },
  { at: "src/service/credentials", may: [contract, ...seams, ...inService("limiter.ts", "store")] },
  // What runs.
  { at: "src/service/engine", may: [contract, ...seams, ...inService("store", "json.ts")] },
  {
    at: "src/service/pipelines",
    may: [
      contract,
      ...seams,
      ...inService("engine", "files", "json.ts", "nodes", "outgoing", "permission", "store"),
    ],
  },
  // Reads what turns said, asks models what it was worth.
  {
    at: "src/service/evaluations",
    may: [contract, ...seams, ...inService("agents", "engine", "json.ts", "models", "store")],
  },
  {
    at: "src/service/knowledge",
    may: [
      contract,
      ...seams,
      ...inService("agents/tools/arguments.ts", "engine", "files", "json.ts", "nodes/services.ts"),
      ...inService("permission", "store"),
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
      ...inService("pipelines/template.ts", "pipelines/run-files.ts"),
      ...inService("engine", "files", "json.ts", "mcp", "outgoing", "permission/actor.ts", "store"),
    ],
  },
  {
    at: "src/service/agents",
    may: [
      contract,
      ...seams,
      ...inService("engine", "files", "json.ts", "mcp", "models", "nodes/services.ts", "outgoing"),
      ...inService("permission", "recurring.ts", "store"),
    ],
  },
  // What the machine is talked to with.
  { at: "src/service/models", may: [contract, ...seams, ...inService("json.ts", "outgoing")] },
  {
    at: "src/service/mcp",
    may: [
      contract,
      ...seams,
      ...inService("credentials/sealer.ts", "limiter.ts", "json.ts", "outgoing", "store"),
    ],
  },
  { at: "src/service/outgoing", may: [...inService("json.ts")] },
  {
    at: "src/service/files",
    may: [contract, ...seams, ...inService("credentials/signer.ts", "recurring.ts", "store")],
  },
  { at: "src/service/store", may: [contract, ...inService("json.ts")] },
  {
    at: "src/service/workspace",
    may: [
      contract,
      ...seams,
      ...inService("agents", "credentials", "files", "json.ts", "mcp", "models", "nodes", "outgoing"),
      ...inService("pipelines", "store"),
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
