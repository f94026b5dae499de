import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { useMissingRightOf } from "../../../lib/rights/rights.ts";
import { shownName } from "../../../lib/shownName.ts";
import { useStore } from "../../../lib/useStore.ts";
import { Button } from "../../../ui/Button.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { runMutations } from "../mutations.ts";
import { runQueries } from "../queries.ts";
import { BelongsTo, InputPreview } from "./BeforeStart.tsx";
import { bodyInOrder, bodyOfForm, readBody } from "./body.ts";
import { formInputs, InputsForm, JsonBody } from "./InputsForm.tsx";
import { missingInputs, routeInputs } from "./routing.ts";
import { StartedBefore } from "./StartedBefore.tsx";
import { StartFoot } from "./StartFoot.tsx";
import { StartFailure, StartFrame } from "./StartFrame.tsx";
import { useStartDraft } from "./useStartDraft.ts";

type Props = {
  flowId: string;
  flowName: string | null;
  description: string | null;
  /** Fill in what this run was given. */
  from: string | undefined;
  isJson: boolean;
  /** The service lists this flow. */
  isListed: boolean;
  isListRead: boolean;
};

/** Waits for what is to be filled in, then shows the form of one flow. */
export function StartForm(props: Props) {
  const { from } = props;
  const api = useApi();
  const known = useStore(api.history.runs);
  const mine = known.find((run) => run.runId === from)?.inputs ?? null;
  const asks = useCan("run_details") && from !== undefined && mine === null;
  const details = useQuery({ ...runQueries.details(api, from ?? ""), enabled: asks });
  if (asks && details.isPending)
    return <SkeletonRows label="Loading inputs" rows={4} columns={["14px", "240px"]} />;
  const given = from === undefined ? null : (mine ?? details.data?.data.inputs ?? null);
  return <Form {...props} given={given} isGivenMissing={from !== undefined && given === null} />;
}

type FormProps = Props & { given: Readonly<Record<string, unknown>> | null; isGivenMissing: boolean };

function Form({
  flowId,
  flowName,
  description,
  from,
  isJson,
  isListed,
  isListRead,
  given,
  isGivenMissing,
}: FormProps) {
  const api = useApi();
  const navigate = useNavigate({ from: "/runs/new" });
  const canRead = useCan("flow_inputs");
  const read = useRead({ ...runQueries.inputsOf(api, flowId), enabled: canRead });
  const { draft, isUntouched, setValue, setText, clear, beginSend } = useStartDraft(flowId, from, given);
  const [projectId, setProjectId] = useState(api.who.teamId);
  const start = useMutation(runMutations.start(api));

  const inputs = formInputs(read.data?.data.inputs);
  const hasWebhook = read.data?.data.webhook ?? null;
  // Without a list of inputs there is no form to make: the body is written as it is sent.
  const asText = isJson || !canRead || read.isError;
  const typed = readBody(draft.text);
  const names = inputs.map((input) => input.name);
  const parsed = asText
    ? typed
    : ({ ok: true, body: bodyInOrder(typed.ok ? typed.body : bodyOfForm(draft.values), names) } as const);
  const text = asText && draft.text.trim() !== "" ? draft.text : JSON.stringify(parsed.ok ? parsed.body : {});
  const routing = { ...routeInputs(inputs, parsed.ok ? parsed.body : {}, []), webhook: text };
  const lacks = useMissingRightOf("flow", flowId, "operate");
  const missing = missingInputs(routing);
  const offReason =
    lacks ??
    (!parsed.ok
      ? "The body must be a JSON object"
      : missing.length > 0
        ? `${joinNames(missing)} ${missing.length === 1 ? "is" : "are"} required`
        : undefined);
  const name = shownName(flowName ?? flowId);

  const isStarting = start.isPending || start.isSuccess;
  const run = () => {
    if (!parsed.ok || offReason !== undefined || isStarting) return;
    const settle = beginSend();
    start.mutate(
      { savedItemId: flowId, savedItemName: flowName, inputs: parsed.body, text, projectId },
      {
        onSuccess: ({ runId }) => {
          // What was started stays in the fields until the run is shown.
          void navigate({ to: "/runs/$runId", params: { runId } }).then(() => settle());
        },
      },
    );
  };
  useShortcuts([{ keys: "mod+enter", does: "Start run", whileTyping: true, run }]);

  return (
    <StartFrame
      asideLabel="Before you start"
      aside={
        <>
          <div className="flex-1">
            <InputPreview
              routing={routing}
              isUnknown={canRead && read.data === undefined}
              hasWebhook={hasWebhook}
            />
          </div>
          <BelongsTo projectId={projectId} onChange={setProjectId} />
        </>
      }
      failure={start.isError && <StartFailure error={start.error} />}
      foot={
        <StartFoot
          routing={parsed.ok ? routing : null}
          isUnknown={canRead && read.data === undefined}
          curl={{ flowId, text, projectId }}
          isStarting={isStarting}
          offReason={offReason}
          onStart={run}
        />
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto py-4 pr-edge-left pl-edge-left max-lg:overflow-visible">
        <h2 className="break-words text-title">{name}</h2>
        <p className="text-muted text-secondary">
          {description ?? (isListRead && !isListed ? "No flow with this ID in your list." : "")}
        </p>
        <div className="flex flex-wrap items-center gap-3 py-3">
          {canRead && !read.isError && (
            <Segmented
              label="Input format"
              options={[
                { value: "form", label: "Form" },
                { value: "json", label: "Raw JSON" },
              ]}
              value={asText ? "json" : "form"}
              onChange={(view) =>
                void navigate({
                  search: ({ as: _, ...old }) => (view === "json" ? { ...old, as: "json" as const } : old),
                  replace: true,
                })
              }
            />
          )}
          <span className="flex-1 text-muted text-secondary">
            {from !== undefined &&
              (isGivenMissing
                ? "The inputs of that run are unknown"
                : isUntouched
                  ? "Filled in from another run"
                  : "Filled in from another run, edited")}
          </span>
          {!isUntouched && (
            <Button variant="quiet" size="small" onClick={clear}>
              {given === null ? "Clear" : "Undo changes"}
            </Button>
          )}
        </div>
        {asText ? (
          <JsonBody text={draft.text} onChange={setText} read={parsed} routing={routing} />
        ) : read.isPending ? (
          <SkeletonRows label="Loading inputs" rows={3} columns={["14px", "240px"]} />
        ) : inputs.length === 0 ? (
          <p className="text-muted">
            This flow has no named inputs. Start it as is
            {hasWebhook === false ? "." : `, or with a body for ${hasWebhook ? "its" : "a"} webhook input.`}
          </p>
        ) : (
          <InputsForm inputs={inputs} values={draft.values} onChange={setValue} />
        )}
        {read.isError && canRead && <ReadFailure query={read} isInset what="The flow’s inputs" />}
      </div>
      <StartedBefore flowId={flowId} names={names} />
    </StartFrame>
  );
}
