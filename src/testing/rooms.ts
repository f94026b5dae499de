/** One room of the source tree: a folder, and what its files may import beside the files of the same room. */
export interface Room {
  /** Folder or single file, from the root. The longest match decides. */
  readonly at: string;
  /** Rooms (by their `at`) that it may import. */
  readonly may: readonly string[];
  /** Packages that it may import; absent: any. */
  readonly packages?: readonly (string | RegExp)[];
}

const react = [/^react($|\/)/, /^react-dom($|\/)/];

const consoleRooms: readonly Room[] = [
  { at: "src/console/ui", may: [], packages: [...react, "radix-ui", /^@radix-ui\//, /^lucide-react($|\/)/] },
  { at: "src/console/workers", may: ["src/contract", "src/console/api", "src/console/session"] },
  {
    at: "src/console/api",
    may: ["src/contract", "src/console/session", "src/console/history", "src/console/workers"],
  },
  { at: "src/console/session", may: ["src/contract", "src/console/api", "src/console/workers"] },
  { at: "src/console/history", may: ["src/contract", "src/console/session"] },
  {
    at: "src/console/components",
    may: [
      "src/contract",
      "src/console/ui",
      "src/console/api",
      "src/console/session",
      "src/console/history",
      "src/console/workers",
    ],
  },
  {
    at: "src/console/pages",
    may: [
      "src/contract",
      "src/console/ui",
      "src/console/api",
      "src/console/session",
      "src/console/history",
      "src/console/workers",
      "src/console/components",
    ],
  },
  {
    at: "src/console/routes",
    may: [
      "src/contract",
      "src/console/ui",
      "src/console/api",
      "src/console/session",
      "src/console/history",
      "src/console/components",
      "src/console/pages",
      "src/console/router.tsx",
    ],
  },
  { at: "src/console/router.tsx", may: ["src/contract", "src/console/*"] },
  { at: "src/console/main.tsx", may: ["src/contract", "src/console/*"] },
];

const basics = ["src/contract", "src/service/context.ts", "src/service/config.ts"];
const serviceRooms: readonly Room[] = [
  { at: "src/service/context.ts", may: ["src/contract", "src/service/*"] },
  { at: "src/service/config.ts", may: ["src/contract"] },
  { at: "src/service/errors.ts", may: ["src/contract"] },
  { at: "src/service/main.ts", may: ["src/contract", "src/service/*"] },
  { at: "src/service/start", may: ["src/contract", "src/service/*"] },
  { at: "src/service/cli", may: ["src/contract", "src/service/*"] },
  {
    at: "src/service/http",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/areas",
      "src/service/credentials",
      "src/service/store",
    ],
  },
  {
    at: "src/service/areas",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/permission",
      "src/service/credentials",
      "src/service/engine",
      "src/service/store",
      "src/service/files",
      "src/service/models",
      "src/service/mcp",
      "src/service/agents",
      "src/service/pipelines",
      "src/service/workspace",
    ],
  },
  {
    at: "src/service/permission",
    may: ["src/contract", "src/service/errors.ts", "src/service/areas/handler.ts", "src/service/store"],
  },
  {
    at: "src/service/credentials",
    may: [...basics, "src/service/errors.ts", "src/service/areas/handler.ts", "src/service/store"],
  },
  {
    at: "src/service/engine",
    may: ["src/contract", "src/service/context.ts", "src/service/errors.ts", "src/service/store"],
  },
  { at: "src/service/store", may: ["src/contract", "src/service/errors.ts"] },
  {
    at: "src/service/files",
    may: ["src/contract", "src/service/errors.ts", "src/service/context.ts", "src/service/store"],
  },
  { at: "src/service/outgoing", may: ["src/contract", "src/service/errors.ts"] },
  { at: "src/service/models", may: [...basics, "src/service/errors.ts", "src/service/outgoing"] },
  {
    at: "src/service/mcp",
    may: [...basics, "src/service/errors.ts", "src/service/outgoing", "src/service/store"],
  },
  {
    at: "src/service/nodes",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/engine",
      "src/service/outgoing",
      "src/service/files",
      "src/service/mcp",
      "src/service/store",
      "src/service/workspace",
    ],
  },
  {
    at: "src/service/pipelines",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/engine",
      "src/service/nodes",
      "src/service/files",
      "src/service/store",
      "src/service/workspace",
    ],
  },
  {
    at: "src/service/agents",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/engine",
      "src/service/models",
      "src/service/mcp",
      "src/service/outgoing",
      "src/service/files",
      "src/service/store",
      "src/service/pipelines",
      "src/service/workspace",
    ],
  },
  {
    at: "src/service/workspace",
    may: [
      ...basics,
      "src/service/errors.ts",
      "src/service/store",
      "src/service/nodes",
      "src/service/credentials",
    ],
  },
];

/** Every room of `src` and who may import whom, as ARCHITECTURE.md draws it. `X/*` means any room below X. */
export const rooms: readonly Room[] = [
  { at: "src/contract", may: [], packages: ["zod/mini"] },
  ...consoleRooms,
  ...serviceRooms,
  { at: "src/testing", may: ["src/*"] },
];
