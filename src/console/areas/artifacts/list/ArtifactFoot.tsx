import { Button } from "../../../ui/Button.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import type { ArtifactScope } from "../queries.ts";
import { isNarrowed, narrowsHere } from "./filters.ts";
import type { ArtifactsSearch, Span } from "./search.ts";
import type { ArtifactList } from "./useArtifactList.ts";

type Props = {
  list: ArtifactList;
  search: ArtifactsSearch;
  /** One agent's artifacts, or those of all. */
  kind: ArtifactScope["kind"];
};

const spanWords: Record<Span, string> = {
  "24h": "from the last 24 h",
  "7d": "from the last 7 days",
  "30d": "from the last 30 days",
};

/** How many were read, how many of them fit, whether there are more, and which filters look only at what was read. */
export function ArtifactFoot({ list, search, kind }: Props) {
  // Nothing is said of what was not read.
  if (list.query.data === undefined) return <ListFoot>{null}</ListFoot>;
  const read = counted(list.allFiles.length);
  const fit = narrowsHere(search, kind) ? fitWords(list.files.length, search) : null;
  const { more } = list;
  const words = more
    ? `${read} read so far${fit === null ? "" : `, ${fit}`}; there are more`
    : fit === null
      ? allWords(list.allFiles.length, isNarrowed(search))
      : `${read} read, all that there are, ${fit}`;
  const applies =
    kind === "all"
      ? "The service filters by name, agent, conversation, creator and time; type looks at what was read"
      : "The service filters by name and conversation; type, creator and time look at what was read";
  return (
    <ListFoot keys={applies}>
      {words}
      {more && (
        <Button variant="quiet" size="small" onClick={more.read} loading={more.isReading} className="ml-2">
          {more.error === null ? "Read 100 more" : "They could not be read. Try again"}
        </Button>
      )}
    </ListFoot>
  );
}

const counted = (count: number): string =>
  count === 1 ? "1 artifact" : `${count.toLocaleString("en-GB")} artifacts`;

function allWords(count: number, isNarrow: boolean): string {
  if (isNarrow) return `${counted(count)} matching`;
  return count > 1 ? `Showing all ${counted(count)}` : counted(count);
}

function fitWords(count: number, { since, type, by, of }: ArtifactsSearch): string {
  const only = since !== undefined && type === undefined && by === undefined && of !== "mine";
  return only
    ? `${count.toLocaleString("en-GB")} of them ${spanWords[since]}`
    : `${count.toLocaleString("en-GB")} of them match`;
}
