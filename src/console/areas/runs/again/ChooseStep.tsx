import { useMemo } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { counted } from "../../../lib/words.ts";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { type NodeIn, nodeQueries } from "../detail/node-queries.ts";
import { nodeStateWord } from "../detail/node-rows.ts";
import type { AgainSearch } from "../search.ts";
import type { AgainNodeIn } from "./preview-groups.ts";

type Props = {
  runId: string;
  search: AgainSearch;
  state: string | null;
  /** The steps of the flow that is taken, as the preview has them; none while that cannot be said. */
  nodes: readonly AgainNodeIn[];
  /** What is wrong with the choice; empty for nothing. */
  error: string;
  itemError: string;
  onChoose: (part: AgainSearch) => void;
};

/** From which step on, and of a list from which item. Where the run had stopped is offered first. */
export function ChooseStep({ runId, search, state, nodes, error, itemError, onChoose }: Props) {
  const api = useApi();
  const can = useCan("run_nodes");
  const { data } = useRead({ ...nodeQueries.all(api, runId), enabled: can });
  const ran = useMemo(
    () =>
      new Map(
        (data?.data.nodes ?? []).flatMap((node) =>
          typeof node?.id === "string" ? [[node.id, { ...node, id: node.id }] as const] : [],
        ),
      ),
    [data],
  );
  const known = nodes.length > 0 ? nodes : [...ran.values()];
  const { node, item } = search;
  const ids = known.map(({ id }) => id);
  const isList = known.some((one) => one.id === node && one.type === "each") || item !== undefined;
  return (
    <div className="flex flex-wrap gap-4">
      <Field label="From step" className="min-w-0 flex-1 basis-64" error={error} hint={hintOf(node, state)}>
        <NativeSelect
          value={node ?? ""}
          onChange={(event) => onChoose({ node: event.target.value || undefined, item: undefined })}
        >
          <option value="">{state === "DONE" ? "Choose a step" : stoppedAt([...ran.values()])}</option>
          {node !== undefined && !ids.includes(node) && <option value={node}>{shownName(node)}</option>}
          {known.map(({ id }) => (
            <option key={id} value={id}>
              {shownName(id)}
              {ran.has(id) && ` (${nodeStateWord(ran.get(id)?.state)})`}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {isList && (
        <Field
          label="Item"
          aside="optional"
          className="w-40"
          error={itemError}
          hint={itemHint(ran.get(node ?? ""))}
        >
          <Input
            inputMode="numeric"
            value={item ?? ""}
            placeholder="all items"
            onChange={(event) => {
              const typed = event.target.value.trim();
              if (/^\d{0,9}$/.test(typed)) onChoose({ item: typed === "" ? undefined : Number(typed) });
            }}
          />
        </Field>
      )}
    </div>
  );
}

/** Where the run had stopped, in words. */
function stoppedAt(nodes: readonly NodeIn[]): string {
  const failed = nodes.filter(({ state }) => state === "failed").map(({ id }) => shownName(id));
  return failed.length === 0 ? "Where it stopped" : `Where it failed: ${joinNames(failed)}`;
}

function hintOf(node: string | undefined, state: string | null): string {
  if (node !== undefined) return "This step and everything that needs it run again.";
  return state === "DONE" ? "" : "What hasn’t finished runs again.";
}

function itemHint(node: NodeIn | undefined): string {
  const total = node?.items?.total;
  return typeof total === "number" ? `${counted(total, "item")}, from 0` : "Counted from 0";
}
