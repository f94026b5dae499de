import { ListSelect } from "../../lib/list/ListSelect.tsx";
import { ListTools } from "../../lib/list/ListTools.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { useSignedIn } from "../session/index.ts";

import type { McpSearch } from "./search.ts";
import { isConnected, type ServerRow, typeOptions } from "./servers.ts";

type Props = {
  search: McpSearch;
  /** Null while they are not known: nothing is counted then. */
  rows: readonly ServerRow[] | null;
  needsYou: (row: ServerRow) => boolean;
  teamId: string | null;
  isTeamKey: boolean;
  onChange: (part: Partial<Record<keyof McpSearch, string | undefined>>) => void;
};

const showWords = { all: "All", "needs-you": "Needs you", connected: "Connected" } as const;

/** What the catalogue is narrowed to by the filters, in their words. */
export const chosenWords = ({ show, type }: McpSearch) => [
  show && showWords[show],
  typeOptions.find(([each]) => each === type)?.[1],
];

/** Search and filters of the catalogue; all of them stand in the address. */
export function ServerFilters({ search, rows, needsYou, teamId, isTeamKey, onChange }: Props) {
  const { teams } = useSignedIn();
  const counted = (words: string, fits: (row: ServerRow) => boolean) =>
    rows === null ? words : `${words} ${rows.filter(fits).length}`;
  return (
    <ListTools
      search={{
        label: "Search servers",
        placeholder: "Names, addresses",
        className: "w-60 max-sm:w-full",
        q: search.q,
        onSearch: (q) => onChange({ q }),
      }}
    >
      <Segmented
        label="Filter servers"
        className="max-sm:w-full"
        value={search.show ?? "all"}
        options={[
          { value: "all", label: counted(showWords.all, () => true) },
          { value: "needs-you", label: counted(showWords["needs-you"], needsYou) },
          { value: "connected", label: counted(showWords.connected, isConnected) },
        ]}
        onChange={(show) => onChange({ show: show === "all" ? undefined : show })}
      />
      <ListSelect
        label="Server type"
        className="max-sm:flex-1"
        value={search.type}
        options={[["", "All types"], ...typeOptions]}
        onChange={(type) => onChange({ type })}
      />
      <span className="ml-auto flex items-center gap-1.5 max-sm:contents">
        {!isTeamKey && (teams?.length ?? 0) > 1 && (
          <ListSelect
            label="Team"
            value={teamId ?? undefined}
            options={(teams ?? []).map(({ id, name }) => [id, name])}
            onChange={(team_id) => onChange({ team_id })}
          />
        )}
        <Segmented
          label="View"
          className="max-sm:hidden"
          value={search.view ?? "table"}
          options={[
            { value: "table", label: "Table" },
            { value: "cards", label: "Cards" },
          ]}
          onChange={(view) => onChange({ view: view === "table" ? undefined : view })}
        />
      </span>
    </ListTools>
  );
}
