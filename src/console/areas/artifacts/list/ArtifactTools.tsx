import { FilterChip, type FilterOption } from "../../../lib/filter/FilterChip.tsx";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { middleCut } from "../../../ui/Id.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { usePerson } from "../../directory/index.ts";
import { type ArtifactFile, typeOf } from "../artifact-row.ts";
import { typeWords } from "../kind.ts";
import type { ArtifactScope } from "../queries.ts";
import type { ArtifactsSearch, Span } from "../search.ts";
import type { ListedArtifacts } from "./useArtifactList.ts";
import { isNarrowed, narrowsHere } from "./useArtifactList.ts";

export type ChangeSearch = (part: Partial<Record<keyof ArtifactsSearch, string | undefined>>) => void;

type Props = {
  search: ArtifactsSearch;
  /** All that were read: the filters offer what is among them. */
  files: readonly ArtifactFile[];
  agents: ReadonlyMap<string, string>;
  conversations: ReadonlyMap<string, string>;
  /** The list is one agent's, so there is none to choose. */
  hasAgentFilter: boolean;
  onChange: ChangeSearch;
};

const orderWords = {
  newest: "Newest",
  oldest: "Oldest",
  name_asc: "Name, A–Z",
  name_desc: "Name, Z–A",
};
const spanOptions = [
  { value: "24h", label: "last 24 h" },
  { value: "7d", label: "last 7 days" },
  { value: "30d", label: "last 30 days" },
];

/** Search, filters, order and view of a list of artifacts; all of them stand in the address. */
export function ArtifactTools(props: Props) {
  const { search, files, agents, conversations, onChange } = props;
  const isPhone = useMedia(phone);
  const { agent, session, type, by } = search;
  const person = usePerson();
  const rows = files.map((file) => file.newest);
  const types = new Set(rows.map(typeOf));
  const people = new Map(
    rows.flatMap((row) => (row.creator?.id ? [[row.creator.id, person(null, row.creator)]] : [])),
  );
  const chip = (
    key: "since" | "agent" | "session" | "type" | "by",
    name: string,
    options: readonly FilterOption[],
  ) => (
    <FilterChip
      name={name}
      value={search[key]}
      options={options}
      onChange={(value) => onChange({ [key]: value })}
    />
  );
  return (
    <ListTools
      search={{
        label: "Search file names",
        placeholder: "File names",
        className: "w-52 max-sm:flex-1",
        q: search.q,
        onSearch: (q) => onChange({ q }),
      }}
      isFiltered={[agent, session, type, by].some((one) => one !== undefined)}
      filters={
        <>
          {props.hasAgentFilter && chip("agent", "Agent", optionsOf(agents.keys(), agents))}
          {chip(
            "session",
            "Conversation",
            optionsOf(new Set(rows.flatMap((row) => row.session_id ?? [])), conversations),
          )}
          {chip(
            "type",
            "Type",
            typeWords.filter((word) => types.has(word)).map((value) => ({ value, label: value })),
          )}
          {chip("by", "Creator", optionsOf(people.keys(), people))}
        </>
      }
      end={
        <span className="ml-auto flex items-center gap-1.5 max-sm:w-full">
          <ListSelect
            label="Order"
            className="max-sm:flex-1"
            value={search.sort ?? "newest"}
            options={Object.entries(orderWords)}
            onChange={(sort) => onChange({ sort })}
          />
          <Segmented
            label="View"
            value={search.view ?? "table"}
            options={[
              { value: "table", label: isPhone ? "List" : "Table" },
              { value: "grid", label: "Grid" },
            ]}
            onChange={(view) => onChange({ view: view === "grid" ? "grid" : undefined })}
          />
        </span>
      }
    >
      {chip("since", "Created", spanOptions)}
    </ListTools>
  );
}

/** So many are offered; whoever looks for another one searches. */
const mostOptions = 40;

function optionsOf(ids: Iterable<string>, names: ReadonlyMap<string, string>): readonly FilterOption[] {
  const options = [...ids]
    .slice(0, mostOptions)
    .map((value) => ({ value, label: names.get(value) ?? value }));
  const isTwin = ({ label }: FilterOption) => options.filter((one) => one.label === label).length > 1;
  return options.map((one) =>
    isTwin(one) ? { ...one, label: `${one.label} (${middleCut(one.value, 12, 5)})` } : one,
  );
}

const spanWords: Record<Span, string> = {
  "24h": "from the last 24 h",
  "7d": "from the last 7 days",
  "30d": "from the last 30 days",
};

/** Which filters look only at what was read. */
export const appliesWords = (kind: ArtifactScope["kind"]): string =>
  kind === "all"
    ? "Type filters only the loaded artifacts"
    : "Type, creator and time filter only the loaded artifacts";

/** How many were read, how many of them fit, and whether there are more. */
export function footWords(
  list: ListedArtifacts,
  search: ArtifactsSearch,
  kind: ArtifactScope["kind"],
): string {
  const read = counted(list.allFiles.length, "artifact");
  const fit = narrowsHere(search, kind) ? fitWords(list.files.length, search) : null;
  if (list.more) return `${read} loaded so far${fit === null ? "" : `, ${fit}`}`;
  if (fit === null) return allWords(list.allFiles.length, isNarrowed(search));
  return `${read}, ${fit}`;
}

function allWords(count: number, isNarrow: boolean): string {
  const all = counted(count, "artifact");
  if (isNarrow) return `${all} matching`;
  return count > 1 ? `Showing all ${all}` : all;
}

function fitWords(count: number, { since, type, by, of }: ArtifactsSearch): string {
  const only = since !== undefined && type === undefined && by === undefined && of !== "mine";
  const words = only ? spanWords[since] : "matching";
  return counted(count, words, words);
}
