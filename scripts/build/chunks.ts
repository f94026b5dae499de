import type { Rolldown } from "vite";

type Splitting = Exclude<Rolldown.OutputOptions["codeSplitting"], boolean | undefined>;
type Group = NonNullable<Splitting["groups"]>[number];
type Graph = Rolldown.ChunkingContext;

/** Matches the files of some folders of the console, as the bundler names them. */
const isIn = (...folders: string[]): RegExp =>
  new RegExp(`[\\\\/]src[\\\\/]console[\\\\/](${folders.join("|").replaceAll("/", "[\\\\/]")})`);

/** The sign-in, which is checked by the same code where it is renewed over a page. */
const ofSignIn = "(areas/session/sign-in(/|\\.)|app/routes/sign-in)";

/** Starting a run and running one again show the same form: two pages, and one file. */
const ofStarts = "(areas/runs/(start|again)/|app/routes/_app/runs/(new|\\$runId/again))";

/** Two runs are compared line by line, as two versions of a file are: one file, with the comparison of runs. */
const ofComparisons = "(areas/runs/compare/|app/routes/_app/runs/compare|lib/diff/LineDiff)";

/** The library of forms is heavy, and few pages have a form that needs it. */
const ofForms = "(lib/form/|areas/evaluations/(form/|RubricEditor)|areas/agents/create/NewAgentForm)";

/** The pages that show artifacts and little else, and the source of knowledge that shows its file as they do. */
const ofArtifacts = "(areas/knowledge/SourceDetail|app/routes/_app/artifacts/(index|in/|\\$))";

/** What pages read first, a run's first read, and what follows a list have one importer, so that each would be a file of its own. */
const isReads = isIn("app/reads", "areas/runs/worker/read-run", "lib/paging/older");

/** The heavy libraries that many pages have, from the rarest: the file of what such pages share, and the library. */
const heavyParts = {
  // Pages that show what was changed.
  changes: /[\\/]node_modules[\\/]diff[\\/]/,
  // Pages with long lists, which draw the rows in sight alone.
  lists: /[\\/]node_modules[\\/]@tanstack[\\/](react-)?virtual/,
  // Pages with menus and dialogs.
  controls: /[\\/]node_modules[\\/]@radix-ui[\\/]|[\\/]lib[\\/]json[\\/]JsonTree/,
};
type HeavyPart = keyof typeof heavyParts;
const rarestFirst: readonly HeavyPart[] = ["changes", "lists", "controls"];

/** Both routes of these areas show one page, a list with what is open beside it. */
const areasOfOnePage: readonly (string | undefined)[] = ["inbox", "knowledge"];

/** The entries of the build (pages and all that is loaded later) that need a module to run. */
function pagesOf(id: string, graph: Graph, seen = new Set([id])): Set<string> {
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

/** Whether a page needs a heavy part to run. */
function needs(part: HeavyPart, id: string, graph: Graph, seen = new Set([id])): boolean {
  const imported = graph.getModuleInfo(id)?.importedIds ?? [];
  return imported.some((one) => {
    if (seen.has(one)) return false;
    seen.add(one);
    return heavyParts[part].test(one) || needs(part, one, graph, seen);
  });
}

/**
 * The area that a page counts to. An agent's own page lists its artifacts; the list of agents, their conversations and their versions
 * share little with the pages on which an agent is made and changed.
 */
function areaOf(page: string): string {
  if (isIn(ofArtifacts, "app/routes/_app/agents/\\$agentId/index").test(page)) return "artifacts";
  const [, own] = /\/routes\/_app\/agents\/(index|\$agentId\/(?:conversations|versions))/.exec(page) ?? [];
  return own ?? /\/(?:app\/routes\/_app|areas)\/(\w+)/.exec(page)?.[1] ?? page;
}

/** The file that a module shares with others, by the first rule that holds; null: it is of one page alone, or of a group below. */
function placeOf(id: string, graph: Graph): string | null {
  const pages = [...pagesOf(id, graph)];
  const areas = [...new Set(pages.map(areaOf))];
  const onlyArea = areas.length === 1 ? areas[0] : undefined;
  if (isReads.test(id)) return "shared";
  if (areasOfOnePage.includes(onlyArea) && pages.some((page) => page.includes("/app/routes/")))
    return onlyArea ?? null;
  if (isIn(ofArtifacts).test(id)) return "artifacts";
  if (pages.length < 2) return null;
  if (onlyArea === "artifacts" || isIn("areas/(artifacts|sharing)/").test(id)) return "artifacts";
  if (pages.some((page) => isIn(ofSignIn).test(page))) return "shared";
  // The page that changes an agent shows what was changed and loads an editor: one more file would be one too many.
  if (onlyArea === "agents") return "changes";
  // No page loads a heavy part for the sake of another.
  return rarestFirst.find((part) => pages.every((page) => needs(part, page, graph))) ?? "shared";
}

/** One of the files that pages share: these leave out what has a file of its own. */
const shared = (name: string, priority: number): Group => ({
  name: (id, graph) => (placeOf(id, graph) === name ? name : null),
  test: new RegExp(
    `^(?!.*(${isIn(ofForms, ofStarts, ofComparisons, ofSignIn).source}|react-hook-form|@hookform))`,
  ),
  priority,
});

/**
 * Which file of the build a module goes into: a file for each page, and these few that pages share. Each imports only those
 * before it, as rooms do (`src/testing/rooms.ts`): files that import each other in a circle fail by the order in which they
 * happen to come. The first group that takes a module also has what it imports.
 */
export const chunkGroups: Group[] = [
  // What every page needs.
  { name: "main", tags: ["$initial"], priority: 9 },
  // With every read, so that a loader needs no other file to start them, and with what the sign-in needs.
  shared("shared", 8),
  shared("controls", 7),
  shared("lists", 6),
  shared("changes", 5),
  shared("inbox", 5),
  shared("knowledge", 5),
  shared("artifacts", 4),
  { name: "sign-in", test: isIn(ofSignIn), priority: 3 },
  { name: "compare", test: isIn(ofComparisons), priority: 3 },
  { name: "start", test: isIn(ofStarts), priority: 3 },
  // What opens over any page: palette, settings, keys, what is watched.
  { name: "overlays", test: isIn("app/(frame|watched)/", "areas/history/", "ui/"), priority: 3 },
  { name: "forms", test: isIn(ofForms), priority: 2 },
  { name: "runs", test: isIn("areas/runs/list/"), priority: 2 },
];
