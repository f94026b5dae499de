import { PageSearch } from "../../lib/paging/PageSearch.tsx";
import { NativeSelect } from "../../ui/Field.tsx";
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

/** Search and filters of the catalogue; all of them stand in the address. */
export function ServerFilters({ search, rows, needsYou, teamId, isTeamKey, onChange }: Props) {
  const { teams } = useSignedIn();
  const counted = (words: string, fits: (row: ServerRow) => boolean) =>
    rows === null ? words : `${words} ${rows.filter(fits).length}`;
  return (
    <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
      <PageSearch
        label="Search servers"
        placeholder="Names, addresses"
        className="w-60 max-sm:w-full"
        q={search.q}
        onSearch={(q) => onChange({ q })}
      />
      <Segmented
        label="Which servers"
        className="max-sm:w-full"
        value={search.show ?? "all"}
        options={[
          { value: "all", label: counted("All", () => true) },
          { value: "needs-you", label: counted("Needs you", needsYou) },
          { value: "connected", label: counted("Connected", isConnected) },
        ]}
        onChange={(show) => onChange({ show: show === "all" ? undefined : show })}
      />
      <NativeSelect
        look="small"
        className="max-sm:flex-1"
        aria-label="Where they run"
        value={search.type ?? ""}
        onChange={(event) => onChange({ type: event.target.value || undefined })}
      >
        <option value="">All types</option>
        {typeOptions.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </NativeSelect>
      <span className="ml-auto flex items-center gap-1.5 max-sm:contents">
        {!isTeamKey && (teams?.length ?? 0) > 1 && (
          <NativeSelect
            look="small"
            aria-label="Team"
            value={teamId ?? ""}
            onChange={(event) => onChange({ team_id: event.target.value })}
          >
            {teams?.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </NativeSelect>
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
    </div>
  );
}
