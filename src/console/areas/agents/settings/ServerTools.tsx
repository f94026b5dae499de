import { type FormEvent, type ReactNode, useState } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { Button } from "../../../ui/Button.tsx";
import { Switch } from "../../../ui/Choices.tsx";
import { cx } from "../../../ui/cx.ts";
import { Input } from "../../../ui/Input.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { sourceName, useSources } from "../../knowledge/index.ts";
import { hasAllTools, searchedSources, withAllowed, withSources } from "../agent/tools.ts";
import { useServerTools } from "../tools/ToolNames.tsx";

type Props = {
  tool: AgentTool;
  was: AgentTool | undefined;
  offReason: string | undefined;
  onTool: (tool: AgentTool) => void;
};

/** Which tools of a server the agent may call: all, also later ones, or those that are chosen. */
export function ServerTools({ serverId, tool, was, offReason, onTool }: Props & { serverId: string }) {
  const isAll = hasAllTools(tool);
  const allowed = tool.allowed_tool_call_ids ?? [];
  const { canList, read, known, rows, noneWords } = useServerTools(serverId, allowed);
  const isReading = canList && read.isPending;
  const isKnown = canList && read.isSuccess && known.length > 0;
  const choose = (ids: readonly string[] | null) => {
    if (offReason === undefined) onTool(withAllowed(tool, was, ids));
  };
  return (
    <>
      {/* Choosing begins with all that there are: not before they are known, or it would begin with none. */}
      {!(isAll && isReading) && (
        <AllOrChosen
          label="Tools of this server"
          what="tools"
          isAll={isAll}
          about={
            isAll ? "Includes tools the server adds later." : "Only these, even if the server adds more."
          }
          onAll={() => choose(null)}
          onChosen={() => choose(was?.allowed_tool_call_ids ?? known)}
        />
      )}
      {!isAll && rows.length > 0 && (
        <Switches
          rows={rows.map(({ id, name, about }) => ({
            id,
            hint: about || undefined,
            label: <span className="text-mono">{name}</span>,
          }))}
          chosen={allowed}
          offReason={offReason}
          onChoose={choose}
        />
      )}
      {!isAll && allowed.length === 0 && (
        <p className="mt-2 text-secondary text-state-stopped-fg">
          None selected: the agent can’t call any of its tools.
        </p>
      )}
      {!isKnown && <p className="mt-2 text-muted text-secondary">{noneWords}</p>}
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
        aria-label="Tool name"
        placeholder="tool name"
        isMono
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        type="submit"
        disabledReason={name.trim() === "" ? "Enter a name first" : undefined}
        reasonAs="title"
      >
        Add
      </Button>
    </form>
  );
}

/** From so many sources on there is a field to find one. */
const many = 12;

/** Knowledge sources `search_knowledge` searches: all that the person may read, or those that are chosen. */
export function SearchedSources({ tool, was, offReason, onTool }: Props) {
  const { canList, sources, query, more } = useSources();
  const [find, setFind] = useState("");
  const chosen = searchedSources(tool);
  const listed = sources.map((source) => ({ id: source.id, name: sourceName(source) }));
  const unlisted = (chosen ?? []).filter((id) => !listed.some((one) => one.id === id));
  const rows = [...listed, ...unlisted.map((id) => ({ id, name: id }))]
    .filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(find.toLowerCase()))
    .map(({ id, name }) => ({ id, hint: id, label: <bdi>{name}</bdi> }));
  const choose = (ids: readonly string[] | null) => {
    if (offReason === undefined) onTool(withSources(tool, was, ids));
  };
  return (
    <>
      <AllOrChosen
        label="Knowledge sources"
        what="sources"
        isAll={chosen === null}
        about={chosen === null ? "All sources the user can read, including new ones." : "Only these."}
        onAll={() => choose(null)}
        onChosen={() => choose((was && searchedSources(was)) ?? [])}
      />
      {chosen !== null && (
        <>
          {listed.length > many && (
            <SearchInput
              label="Find a source"
              placeholder="Find a source"
              className="mt-2.5 max-w-[340px]"
              value={find}
              onText={setFind}
            />
          )}
          <Switches
            rows={rows}
            chosen={chosen}
            offReason={offReason}
            onChoose={choose}
            className="max-h-64 overflow-y-auto"
          />
          {more && (
            <Button size="small" className="mt-2" loading={more.isReading} onClick={more.read}>
              Show more sources
            </Button>
          )}
          {(chosen.length === 0 || listed.length === 0) && (
            <p className="mt-2 text-secondary text-state-stopped-fg">
              {!canList
                ? "This service does not list sources."
                : query.isPending
                  ? "Loading sources…"
                  : query.isError && !query.data
                    ? "The sources could not be loaded."
                    : listed.length === 0
                      ? "There are no sources you can read."
                      : "None selected: the search finds nothing."}
            </p>
          )}
        </>
      )}
    </>
  );
}

type AllProps = {
  label: string;
  what: string;
  isAll: boolean;
  about: string;
  onAll: () => void;
  onChosen: () => void;
};

/** Whether all of a kind are given, also later ones, or those that are chosen, and what that means. */
function AllOrChosen({ label, what, isAll, about, onAll, onChosen }: AllProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <Segmented
        label={label}
        options={[
          { value: "all", label: `All ${what}` },
          { value: "some", label: `Selected ${what}` },
        ]}
        value={isAll ? "all" : "some"}
        onChange={(next) => (next === "all" ? onAll() : onChosen())}
      />
      <span className="text-muted text-secondary">{about}</span>
    </div>
  );
}

type SwitchesProps = {
  rows: readonly { readonly id: string; readonly label: ReactNode; readonly hint: string | undefined }[];
  chosen: readonly string[];
  offReason: string | undefined;
  onChoose: (ids: readonly string[]) => void;
  className?: string;
};

/** One switch for each thing that can be chosen. */
function Switches({ rows, chosen, offReason, onChoose, className }: SwitchesProps) {
  return (
    <ul className={cx("mt-2.5 grid gap-x-6 gap-y-1.5 sm:grid-cols-2", className)}>
      {rows.map(({ id, label, hint }) => (
        <li key={id} className="min-w-0 [&>label]:min-w-0 [&>label]:max-w-full [&>label>span]:truncate">
          <Tooltip content={offReason ?? hint}>
            <Switch
              checked={chosen.includes(id)}
              aria-disabled={offReason !== undefined || undefined}
              onChange={() =>
                onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
              }
              label={label}
            />
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
