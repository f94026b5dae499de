import { useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { Button } from "../../../ui/Button.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { sourceName, useSources } from "../../knowledge/index.ts";

import { searchedSources, withSources } from "./tools.ts";

type Props = {
  tool: AgentTool;
  was: AgentTool | undefined;
  offReason: string | undefined;
  onTool: (tool: AgentTool) => void;
};

/** From so many sources on there is a field to find one. */
const many = 12;

/** Which knowledge sources `search_knowledge` searches: all that the person may read, or those that are chosen. */
export function SearchedSources({ tool, was, offReason, onTool }: Props) {
  const { canList, sources, query, more } = useSources();
  const [find, setFind] = useState("");
  const chosen = searchedSources(tool);
  const listed = sources.map((source) => ({ id: source.id, name: sourceName(source) }));
  const unlisted = (chosen ?? []).filter((id) => !listed.some((one) => one.id === id));
  const rows = [...listed, ...unlisted.map((id) => ({ id, name: id }))].filter(({ id, name }) =>
    `${name} ${id}`.toLowerCase().includes(find.toLowerCase()),
  );
  const choose = (ids: readonly string[] | null) => {
    if (offReason === undefined) onTool(withSources(tool, was, ids));
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Segmented
          label="Which knowledge sources"
          options={[
            { value: "all", label: "All sources" },
            { value: "some", label: "Chosen sources" },
          ]}
          value={chosen === null ? "all" : "some"}
          onChange={(next) => choose(next === "all" ? null : ((was && searchedSources(was)) ?? []))}
        />
        <span className="text-muted text-secondary">
          {chosen === null ? "All that the person may read, also later ones." : "Only these."}
        </span>
      </div>
      {chosen !== null && (
        <>
          {listed.length > many && (
            <SearchInput
              label="Find a source"
              placeholder="Find a source"
              className="mt-2.5 max-w-[340px]"
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
          )}
          <ul className="mt-2.5 grid max-h-64 gap-x-6 gap-y-1.5 overflow-y-auto sm:grid-cols-2">
            {rows.map(({ id, name }) => (
              <li key={id} className="min-w-0 [&>label]:min-w-0 [&>label]:max-w-full [&>label>span]:truncate">
                <Tooltip content={offReason ?? id}>
                  <Switch
                    checked={chosen.includes(id)}
                    aria-disabled={offReason !== undefined || undefined}
                    onChange={() =>
                      choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
                    }
                    label={<bdi>{name}</bdi>}
                  />
                </Tooltip>
              </li>
            ))}
          </ul>
          {more && (
            <Button size="small" className="mt-2" loading={more.isReading} onClick={more.read}>
              Show more sources
            </Button>
          )}
          {(chosen.length === 0 || listed.length === 0) && (
            <p className="mt-2 text-secondary text-state-stopped-fg">
              {!canList
                ? "This service lists no sources."
                : query.isPending
                  ? "Reading the sources."
                  : query.isError && !query.data
                    ? "The sources could not be read."
                    : listed.length === 0
                      ? "There are no sources that you may read."
                      : "None is chosen: it finds nothing."}
            </p>
          )}
        </>
      )}
    </>
  );
}
