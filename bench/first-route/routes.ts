import type { Mark } from "./probe.ts";
import type { Ids } from "./sample.ts";

/** One route of the console: where it is, how one sees that it stands, and what its floor shows. */
export interface Route {
  readonly name: string;
  readonly path: string;
  /** What is there when the frame is. */
  readonly frame: Mark;
  /** Its first real content. */
  readonly ready: Mark;
  /** The floor's page that shows the answer which this route cannot do without. */
  readonly floor: string;
  /** How many times as long as its floor it may take until it is ready; null: no bound was set. */
  readonly atMost: number | null;
  readonly signedIn: boolean;
  /** The peer's page that is the nearest to it. */
  readonly peer?: "list" | "object";
}

const pages: Mark = { selector: 'nav[aria-label="Pages"] a' };
const list = (of: string) => `/list?${new URLSearchParams({ of: `/api/v1${of}` })}`;
const object = (of: string) => `/object?${new URLSearchParams({ of: `/api/v1${of}` })}`;

/** What stands on every page of the floor. */
export const floorMarks = { frame: { selector: "nav a" }, ready: { selector: "[data-ready]" } } as const;

/** Every route, with the sample's own objects in it. */
export function routesOf(ids: Ids): readonly Route[] {
  const inside = (
    name: string,
    path: string,
    ready: Mark,
    floor: string,
    rest: Partial<Pick<Route, "atMost" | "peer">> = {},
  ): Route => ({ name, path, frame: pages, ready, floor, atMost: null, signedIn: true, ...rest });
  const row = (text: string): Mark => ({ selector: "main tbody tr", text });
  const item = (text: string): Mark => ({ selector: "main li", text });
  const part = (label: string, text: string): Mark => ({ selector: `main [aria-label="${label}"]`, text });
  const heading = (text: string): Mark => ({ selector: "h1", text });
  const scribe = "/agents/agent_scribe";
  const run = (id: string) => `/get_pl_run?run_id=${id}&user_id=user_ada`;
  return [
    {
      ...{ name: "sign-in", path: "/sign-in", atMost: 1.25, signedIn: false, floor: "/sign-in" },
      ...{ frame: { selector: "h1", text: "Sign in" }, ready: { selector: "form input" } },
    },
    inside("overview", "/", item("check_stock"), list("/runs?page_size=100"), { atMost: 1.5 }),
    inside("runs", "/runs", row("Count the berths"), list("/runs?page_size=100"), {
      ...{ atMost: 1.25, peer: "list" },
    }),
    inside("run", `/runs/${ids.run}`, part("Log", "started"), object(run(ids.run)), {
      ...{ atMost: 1.5, peer: "object" },
    }),
    inside(
      "new-run",
      "/runs/new?flow=flow_hello",
      item("Say hello"),
      list("/list_saved_items?user_id=user_ada"),
    ),
    inside(
      "compare",
      `/runs/compare?a=${ids.otherRun}&b=${ids.run}`,
      { selector: 'main [aria-label="Inputs"] tr', text: "from" },
      object(run(ids.run)),
    ),
    inside("agents", "/agents", row("Scribe"), list("/agents?page_size=100"), { atMost: 1.5 }),
    inside("agent", scribe, heading("Scribe"), object(scribe)),
    inside("settings", `${scribe}/settings`, item("System prompt"), object(scribe)),
    inside("versions", `${scribe}/versions`, item("Version 1"), list(`${scribe}/versions?page_size=100`)),
    inside(
      "agent-evaluations",
      `${scribe}/evaluations`,
      part("Grades", "conversations"),
      object(`${scribe}/evaluations/metrics?days=30`),
    ),
    inside(
      "conversation",
      `${scribe}/conversations/${ids.conversation}`,
      part("Messages", "berth-"),
      object(`/sessions/${ids.conversation}`),
      { atMost: 1.5 },
    ),
    inside("new-conversation", `${scribe}/conversations/new`, item("What can you do?"), object(scribe)),
    inside("artifacts", "/artifacts", row("berth-"), list("/artifacts?page_size=100"), { atMost: 1.5 }),
    inside(
      "artifact",
      `/artifacts/${ids.artifact}`,
      heading("berth-1.md"),
      list("/artifacts?search_query=berth-1.md&page_size=100"),
    ),
    inside(
      "shared",
      "/artifacts/shared",
      row("berth-1.md"),
      list("/artifacts?shared_by_me=true&page_size=100"),
    ),
    inside("evaluations", "/evaluations", row("Scribe"), list("/agents?page_size=100")),
    inside("knowledge", "/knowledge", item("Harbor handbook"), list("/brain/sources?page_size=100")),
    inside(
      "source",
      "/knowledge/source_handbook",
      part("The source", "Harbor handbook"),
      object("/brain/sources/source_handbook"),
    ),
    inside("mcp", "/mcp", row("Almanac"), list("/mcp/servers")),
    inside("search", "/search?q=berth", item("berth-"), list("/artifacts?search_query=berth&page_size=100")),
    {
      ...{ name: "shared-link", path: ids.shared, atMost: null, signedIn: false },
      ...{ frame: { selector: "header" }, ready: { selector: "h1", text: "berth-1.md" } },
      floor: object(ids.shared),
    },
  ];
}
