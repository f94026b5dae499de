import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConsoleError } from "../../../api/errors.ts";
import { newId } from "../../../api/ids.ts";
import { useApi } from "../../../lib/api.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { RadioRows } from "../../../ui/Choices.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { type AgainSearch, readAgainSearch } from "../search.ts";
import { StartFailure, StartFrame } from "../start/StartFrame.tsx";
import { AgainFoot } from "./AgainFoot.tsx";
import { AgainPreview } from "./AgainPreview.tsx";
import { ChangeInputs } from "./ChangeInputs.tsx";
import { ChangeOutput } from "./ChangeOutput.tsx";
import { ChooseStep } from "./ChooseStep.tsx";
import { againMutations } from "./queries.ts";
import { type AgainRefusal, useAgainAsk } from "./useAgainAsk.ts";

type Props = {
  runId: string;
  search: AgainSearch;
  name: string;
  state: string | null;
  flowId: string | null;
  /** The inputs of the other run. */
  given: Readonly<Record<string, unknown>>;
  projectId: string | null;
};

/** What is chosen and typed at the left, what it would do at the right, and the start under both. */
export function AgainForm({ runId, search, name, state, flowId, given, projectId }: Props) {
  const api = useApi();
  const navigate = useNavigate({ from: "/runs/$runId/again" });
  const again = useAgainAsk(runId, search, given);
  const { ask, levels, refusals, preview, read } = again;
  const start = useMutation(againMutations.start(api));
  const key = useStartKey(preview);
  const choose = (part: AgainSearch) =>
    void navigate({ search: (old) => readAgainSearch({ ...old, ...part }), replace: true });

  const at = (...params: string[]) =>
    refusals.flatMap(({ param, message }) => (params.includes(param) ? [message] : [])).join(" ");
  const isUntouched = search.node === undefined && Object.keys(again.draft.inputs).length === 0;
  // A run that is done stopped nowhere: then that nothing is chosen yet is no mistake.
  const isUnchosen = state === "DONE" && isUntouched;
  const elsewhere = refusals.filter((refusal) => !hasField(refusal, search));
  const own = levels.at(-1);
  const offReason = !ask.ok
    ? "The output is not valid JSON"
    : isUnchosen
      ? "Choose a step, or change an input"
      : refusals.length > 0
        ? "It can’t start like this"
        : preview === null
          ? again.isBehind
            ? "Working out what it would do"
            : "There is no preview"
          : undefined;
  const isStarting = start.isPending || start.isSuccess;
  const run = () => {
    if (preview === null || offReason !== undefined || isStarting) return;
    const settle = again.beginSend();
    const [top] = levels;
    start.mutate(
      {
        ...{ runId, body: again.body, preview, key },
        top: {
          savedItemId: top?.run.saved_item_id ?? null,
          savedItemName: top?.run.saved_item_name ?? null,
          inputs: levels.length > 1 ? null : { ...given, ...again.body.inputs },
          projectId,
        },
      },
      {
        onSuccess: (id) => {
          // What was started stays in the fields until the new run is shown.
          void navigate({ to: "/runs/$runId", params: { runId: id } }).then(() => settle());
        },
        // What it would do has changed meanwhile, or it is refused: the preview says how.
        onError: () => void read.refetch(),
      },
    );
  };
  useShortcuts([{ keys: "mod+enter", does: "Run again", whileTyping: true, run }]);

  return (
    <StartFrame
      asideLabel="What happens"
      aside={<AgainPreview {...{ runId, read, levels }} isBehind={again.isBehind} chosen={search} />}
      failure={
        start.isError &&
        (isRefused(start.error) ? (
          <Notice kind="failed" look="band" title="Not started">
            {start.error.failure.kind === "http" && start.error.failure.message}
          </Notice>
        ) : (
          <StartFailure error={start.error} />
        ))
      }
      foot={
        <AgainFoot
          {...{ runId, levels, isStarting, offReason }}
          body={ask.ok ? ask.body : null}
          isShown={ask.ok && refusals.length === 0 && !isUnchosen}
          onStart={run}
        />
      }
    >
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-edge-left py-4 max-lg:overflow-visible">
        <header>
          <h2 className="break-words text-title">{name}</h2>
          <p className="text-muted text-secondary">
            Starts a new run that reuses what this one has done. This run stays as it is.
          </p>
        </header>
        {elsewhere.map(({ param, message }) => (
          <Notice key={`${param} ${message}`} kind="failed" look="box">
            {message}
          </Notice>
        ))}
        <ChooseStep
          {...{ runId, search, state }}
          nodes={own?.nodes ?? []}
          error={isUnchosen ? "" : at("from", "from.node")}
          itemError={at("from.item")}
          onChoose={choose}
        />
        <RadioRows
          legend="Flow"
          rows={[
            { value: "as_run", name: "As it was", about: "the version that this run used" },
            { value: "current", name: "As it is now", about: "with all changes since" },
          ]}
          value={search.flow ?? "as_run"}
          onChange={(flow) => choose({ flow: flow === "current" ? flow : undefined })}
          hint={<Wrong>{at("flow")}</Wrong>}
        />
        {search.node !== undefined && (
          <ChangeOutput
            key={`${search.node} ${search.item ?? ""}`}
            {...{ runId, node: search.node, item: search.item, again }}
            asksPeople={own?.nodes.some(({ id, type }) => id === search.node && type === "approval") === true}
            refusals={refusals.filter(({ param }) => /^output(\.|$)/.test(param))}
          />
        )}
        <ChangeInputs
          {...{ flowId, given }}
          typed={again.draft.inputs}
          refusals={refusals}
          onChange={again.setInput}
        />
      </div>
    </StartFrame>
  );
}

/** One key for each start that was shown: a second try of it starts nothing twice. */
function useStartKey(preview: string | null): string {
  const [made, setMade] = useState(() => ({ preview, key: newId() }));
  if (preview !== null && made.preview !== preview) setMade({ preview, key: newId() });
  return made.key;
}

/** Whether a refusal stands at a field of this page. */
function hasField({ param }: AgainRefusal, { node }: AgainSearch): boolean {
  if (/^output(\.|$)/.test(param)) return node !== undefined;
  return /^(from(\.node|\.item)?|flow|inputs(\..*)?)$/.test(param);
}

const isRefused = (error: Error): error is ConsoleError =>
  error instanceof ConsoleError && error.code === "invalid_body";

function Wrong({ children }: { children: string }) {
  return children === "" ? null : <span className="text-state-failed-fg">{children}</span>;
}
