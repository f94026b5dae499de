import type { Received } from "../../../../contract/define.ts";
import type { NodeValue } from "../../../../contract/run-nodes.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { CodeEditor } from "../../../lib/code-editor/CodeEditor.tsx";
import { hasFailed, useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { grouped } from "../../../lib/words.ts";
import { Switch } from "../../../ui/Choices.tsx";
import { nodeQueries } from "../detail/node-queries.ts";
import { outputKey } from "./again-ask.ts";
import type { AgainRefusal, AgainState } from "./useAgainAsk.ts";

type Props = {
  runId: string;
  node: string;
  item: number | undefined;
  again: AgainState;
  /** It is an approval: nothing stands in for what people answer. */
  asksPeople: boolean;
  /** What is wrong with the output, by its fields. */
  refusals: readonly AgainRefusal[];
};

/** An output in place of running the chosen step, as JSON; it begins with what the step gave. */
export function ChangeOutput({ runId, node, item, again, asksPeople, refusals }: Props) {
  const api = useApi();
  const can = useCan("run_nodes");
  const how = { moves: false, ...(item !== undefined && { item }) };
  const read = useRead({ ...nodeQueries.one(api, runId, node, how), enabled: can });
  const text = again.draft.outputs[outputKey(node, item)];
  const output = read.data?.data.output;
  const isReading = can && read.data === undefined && !hasFailed(read);
  const problem = again.ask.ok ? refusals.map(({ message }) => message).join(" ") : `${again.ask.problem}.`;
  const what = item === undefined ? shownName(node) : `item ${grouped(item)} of ${shownName(node)}`;
  if (asksPeople && text === undefined)
    return (
      <p className="text-muted text-secondary">
        {shownName(node)} asks again. Its answer can’t be set by hand.
      </p>
    );
  return (
    <section aria-label="Output" className="flex flex-col gap-2">
      <Switch
        label={`Set the output of ${what} by hand`}
        checked={text !== undefined}
        aria-disabled={isReading}
        onChange={({ target: { checked } }) => {
          if (!isReading) again.setOutput(node, item, checked ? beginWith(output, item) : undefined);
        }}
      />
      <p className="text-muted text-secondary">
        {text === undefined
          ? "It runs again. With its output set by hand it doesn’t."
          : "It doesn’t run: the steps that need it get this."}
        {text !== undefined && isCut(output) && (
          <> What it gave has {grouped(output?.size ?? 0)} characters, too many to edit here.</>
        )}
      </p>
      {text !== undefined && (
        <CodeEditor
          label={`Output of ${what} as JSON`}
          language="json"
          value={text}
          onChange={(typed) => again.setOutput(node, item, typed)}
          problem={problem}
          note={again.isKept ? "Draft kept in this browser" : ""}
          takesFocus
        />
      )}
    </section>
  );
}

type Output = Received<NodeValue> | null | undefined;

const isCut = (output: Output): boolean => output?.known === true && typeof output.beginning === "string";

/** What the editor begins with: the output as it was, of an item its value; else an empty one. */
function beginWith(output: Output, item: number | undefined): string {
  const isKnown = output?.known === true && !isCut(output) && output.value != null;
  const value = isKnown ? output.value : null;
  return JSON.stringify(item !== undefined || value === null ? { value } : value, null, 2);
}
