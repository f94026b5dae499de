import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Button } from "../../../ui/Button.tsx";
import { Input } from "../../../ui/Input.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { sourceName, useSources } from "../../knowledge/index.ts";
import { mcpQueries } from "../../mcp/index.ts";
import { hasAllTools, searchedSources, toolWord, withAllowed, withSources } from "../agent/tools.ts";

type Props = {
  serverId: string;
  tool: AgentTool;
  was: AgentTool | undefined;
  offReason: string | undefined;
  onTool: (tool: AgentTool) => void;
};

/** Which tools of a server the agent may call: all, also later ones, or those that are chosen. */
export function ServerTools({ serverId, tool, was, offReason, onTool }: Props) {
  const api = useApi();
  const canList = useCan("mcp_tools");
  const read = useQuery({ ...mcpQueries.tools(api, serverId), enabled: canList });
  const listed = (read.data?.data.tools ?? []).flatMap((one) =>
    one?.tool_call_id ? [{ id: one.tool_call_id, about: one.description ?? "" }] : [],
  );
  const isAll = hasAllTools(tool);
  const allowed = tool.allowed_tool_call_ids ?? [];
  const unlisted = allowed.filter((id) => !listed.some((one) => one.id === id));
  const rows = [...listed, ...unlisted.map((id) => ({ id, about: "" }))];
  const isReading = canList && read.isPending;
  const isKnown = canList && read.isSuccess && listed.length > 0;
  const choose = (ids: readonly string[] | null) => {
    if (offReason === undefined) onTool(withAllowed(tool, was, ids));
  };
  return (
    <>
      {/* Choosing begins with all that there are: not before they are known, or it would begin with none. */}
      {!(isAll && isReading) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <Segmented
            label="Which tools of this server"
            options={[
              { value: "all", label: "All tools" },
              { value: "some", label: "Chosen tools" },
            ]}
            value={isAll ? "all" : "some"}
            onChange={(next) =>
              choose(next === "all" ? null : (was?.allowed_tool_call_ids ?? listed.map((one) => one.id)))
            }
          />
          <span className="text-muted text-secondary">
            {isAll
              ? "Also those that the server gets later."
              : "Only these, also when the server gets others."}
          </span>
        </div>
      )}
      {!isAll && rows.length > 0 && (
        <ul className="mt-2.5 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {rows.map(({ id, about }) => (
            <li key={id} className="min-w-0 [&>label]:min-w-0 [&>label]:max-w-full [&>label>span]:truncate">
              <Tooltip content={offReason ?? (about || undefined)}>
                <Switch
                  checked={allowed.includes(id)}
                  aria-disabled={offReason !== undefined || undefined}
                  onChange={() =>
                    choose(allowed.includes(id) ? allowed.filter((one) => one !== id) : [...allowed, id])
                  }
                  label={<span className="text-mono">{shownName(toolWord(serverId, id))}</span>}
                />
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
      {!isAll && allowed.length === 0 && (
        <p className="mt-2 text-secondary text-state-stopped-fg">
          None is chosen: the agent can call nothing of it.
        </p>
      )}
      {!isKnown && (
        <p className="mt-2 text-muted text-secondary">
          {!canList
            ? "This service does not say which tools a server has."
            : isReading
              ? "Reading which tools it has."
              : read.isError
                ? `Which tools it has could not be read. ${describeError(read.error).what}`
                : "It names no tools now: the page of MCP servers says why."}
        </p>
      )}
      {!isAll && !isKnown && offReason === undefined && !isReading && (
        <AddById onAdd={(name) => choose([...new Set([...allowed, idOf(serverId, name)])])} />
      )}
    </>
  );
}

const idOf = (serverId: string, name: string) =>
  name.startsWith(`${serverId}__`) ? name : `${serverId}__${name}`;

/** Where the service lists no tools, one is named by hand. */
function AddById({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <form onSubmit={add} className="mt-2 flex max-w-[340px] items-center gap-2">
      <Input
        aria-label="Name of a tool"
        placeholder="name of a tool"
        isMono
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        type="submit"
        disabledReason={name.trim() === "" ? "Write its name first" : undefined}
        reasonAs="title"
      >
        Add
      </Button>
    </form>
  );
}

type SearchedSourcesProps = {
  tool: AgentTool;
  was: AgentTool | undefined;
  offReason: string | undefined;
  onTool: (tool: AgentTool) => void;
};

/** From so many sources on there is a field to find one. */
const many = 12;

/** Which knowledge sources `search_knowledge` searches: all that the person may read, or those that are chosen. */
export function SearchedSources({ tool, was, offReason, onTool }: SearchedSourcesProps) {
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
