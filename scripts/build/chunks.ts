import type { Rolldown } from "vite";

type Splitting = Exclude<Rolldown.OutputOptions["codeSplitting"], boolean | undefined>;
type Group = NonNullable<Splitting["groups"]>[number];

/** Matches the files of some folders of the console, as the bundler names them. */
const isIn = (...folders: string[]): RegExp =>
  new RegExp(`[\\\\/]src[\\\\/]console[\\\\/](${folders.join("|").replaceAll("/", "[\\\\/]")})`);

/** An agent's page shows its conversations and artifacts, and these can be shared: these areas have one file. */
const ofAgents = "areas/(agents|artifacts|conversations|sharing)/(?!queries|mutations)";

/** The library of forms is heavy, and few pages have a form that needs it. */
const ofForms = "(lib/form/|areas/evaluations/(form/|RubricEditor)|areas/agents/create/NewAgentForm)";

/** Starting a run and running one again show the same form: two pages, and one file. */
const ofStarts = "(areas/runs/(start|again)/|app/routes/_app/runs/(new|\\$runId/again))";

/** The sign-in, which is checked by the same code where it is renewed over a page. */
const ofSignIn = "(areas/session/sign-in(/|\\.)|app/routes/sign-in)";

/** What a program asks is answered on a page of its own, and is one file with where it is ended. */
const ofAdmin = "(areas/admin/(?!queries|search)|app/routes/_app/(admin|oauth/))";

/** What pages read first, a run's first read, and what follows a list have one importer, so that each would be a file of its own. */
const isReads = isIn("app/reads", "areas/runs/worker/read-run", "lib/paging/older");

/** The entries of the build (pages and all that is loaded later) that need a module to run. */
function pagesOf(id: string, graph: Rolldown.ChunkingContext, seen = new Set([id])): Set<string> {
  const info = graph.getModuleInfo(id);
  const isPage = info?.isEntry || info?.dynamicImporters.length;
  const pages = new Set(isPage ? [id] : []);
  for (const importer of info?.importers ?? []) {
    if (seen.has(importer)) continue;
    seen.add(importer);
    for (const page of pagesOf(importer, graph, seen)) pages.add(page);
  }
  return pages;
}

/** Areas whose two routes show the same page, and are one file. */
const areasAlone = ["inbox", "knowledge"];

/** The one of those areas whose routes alone need a module to run; null: it is of others, or of what a page loads later. */
function areaOf(pages: ReadonlySet<string>): string | null {
  const areas = new Set([...pages].map((page) => /\/(?:app\/routes\/_app|areas)\/(\w+)/.exec(page)?.[1]));
  const [area = ""] = areas;
  const isOfRoute = [...pages].some((page) => page.includes("/app/routes/"));
  return isOfRoute && areas.size === 1 && areasAlone.includes(area) ? area : null;
}

const isOfSignIn = (pages: ReadonlySet<string>): boolean =>
  pages.size > 1 && [...pages].some((page) => /\/(app\/routes|areas\/session)\/sign-in\.tsx?/.test(page));

/**
 * Which file of the build a module goes into: a file for each page, one for each heavy library, and these few that pages
 * share. Each imports only those before it, as rooms do (`src/testing/rooms.ts`): files that import each other in a circle
 * fail by the order in which they happen to come. The first group that takes a module also has what it imports.
 */
export const chunkGroups: Group[] = [
  // What every page needs.
  { name: "main", tags: ["$initial"], priority: 7 },
  // What pages share with the sign-in, which needs nothing of the rest.
  {
    name: (id, graph) => (isOfSignIn(pagesOf(id, graph)) ? "ui" : null),
    test: new RegExp(`^(?!.*${isIn(ofSignIn).source})`),
    priority: 6,
  },
  // All else that pages share; with it every read, so that a loader needs no other file to start them.
  {
    name: (id, graph) => {
      const pages = pagesOf(id, graph);
      return isReads.test(id) || (pages.size > 1 && areaOf(pages) === null) ? "shared" : null;
    },
    test: new RegExp(
      `^(?!.*(${isIn(ofAgents, ofForms, ofStarts, ofAdmin, ofSignIn).source}|react-hook-form|@hookform))`,
    ),
    priority: 5,
  },
  { name: (id, graph) => areaOf(pagesOf(id, graph)), priority: 4 },
  { name: "sign-in", test: isIn(ofSignIn), priority: 4 },
  { name: "agents", test: isIn(ofAgents), minShareCount: 2, priority: 4 },
  { name: "start", test: isIn(ofStarts), priority: 4 },
  { name: "admin", test: isIn(ofAdmin), priority: 1 },
  // What opens over any page: palette, settings, keys, what is watched.
  { name: "overlays", test: isIn("app/(frame|watched)/", "areas/history/", "ui/"), priority: 3 },
  { name: "forms", test: isIn(ofForms), priority: 2 },
  { name: "runs", test: isIn("areas/runs/list/"), priority: 2 },
];
