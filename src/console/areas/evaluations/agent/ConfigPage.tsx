import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { type ComponentProps, useState } from "react";
import { FormProvider } from "react-hook-form";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { SaveBar } from "../../../lib/form/FormField.tsx";
import { showRefusal, useForm } from "../../../lib/form/useForm.ts";
import { useKeptForm } from "../../../lib/form/useKeptForm.ts";
import { joinNames } from "../../../lib/join-names.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { useMissingRight } from "../../../lib/rights/rights.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { ChangedMeanwhile } from "../form/ChangedMeanwhile.tsx";
import { RubricForm } from "../form/RubricForm.tsx";
import { changeOf, configRules, draftOf, incompleteWords, savedToast } from "../form/rubric-draft.ts";
import { evaluationMutations, evaluationQueries } from "../queries.ts";
import { type ConfigIn, emptyModelWords } from "./HowEvaluated.tsx";

type Props = { agentId: string /** The agent's team. */; teamId: string | null | undefined };

/** How the agent is evaluated: readable always, editable where the service can and the person may. */
export default function ConfigPage({ agentId, teamId }: Props) {
  const read = useRead(evaluationQueries.config(useApi(), agentId));
  const config = read.data?.data.config;
  return (
    <>
      <p className="flex items-baseline gap-2.5 border-b py-2 pr-edge-right pl-edge-left text-secondary">
        <Link to="/agents/$agentId/evaluations" params={{ agentId }} className={linkClass}>
          <span className="inline-flex items-baseline gap-1.5">
            <ArrowLeft className="self-center" /> Results
          </span>
        </Link>
        {config?.updated_ts && (
          <span className="text-muted">
            changed <Ago at={config.updated_ts} />
          </span>
        )}
      </p>
      {config ? (
        <Editor agentId={agentId} teamId={teamId} config={config} />
      ) : read.isError ? (
        <ReadFailure query={read} what="The configuration" />
      ) : (
        <SkeletonRows label="Loading the configuration" rows={6} columns={["1fr"]} />
      )}
    </>
  );
}

function Editor({ agentId, teamId, config }: Props & { config: ConfigIn }) {
  const api = useApi();
  const missing = useMissingRight(teamId, "edit");
  const canEdit = useCan("evaluation_config_edit") && missing === undefined;
  const toaster = useToast();
  const save = useMutation(evaluationMutations.configure(api, agentId));
  // Only what differs from what was read when the editing began is sent, so that fields that somebody else changed
  // meanwhile stay as they made them.
  const { form, base, draft, updatedAt, begin, rebase } = useKeptForm(
    `criteria ${agentId}`,
    begun(config),
    configRules,
  );
  const [showsMine, setShowsMine] = useState(false);
  const change = changeOf(base, draft);
  const fields = Object.keys(change);
  // A field that both changed, such as a list, would be replaced as a whole.
  const [theirs, ahead] = [changeOf(base, draftOf(config)), changeOf(draftOf(config), draft)];
  const clashes = fields.filter((name) => Object.hasOwn(theirs, name) && Object.hasOwn(ahead, name));
  const isMeanwhile = canEdit && !save.isPending && clashes.length > 0;
  // What was typed before the service turned out to take nothing: kept, and never shown as if the service had it.
  const isLeft = !canEdit && fields.length > 0;
  const parts = { enables: "Evaluate conversations with this agent", emptyModel: emptyModelWords(config) };
  return (
    <>
      {!canEdit && (
        <p className="border-b px-edge-left py-3 text-muted">
          {missing === undefined
            ? "Evaluation settings can’t be changed on this service"
            : `Change: ${missing}`}
          .
        </p>
      )}
      {isMeanwhile && (
        <ChangedMeanwhile
          what={joinNames(clashes).replaceAll("_", " ")}
          onTheirs={() => begin(begun(config))}
          onMine={() => rebase(begun(config))}
        />
      )}
      {isLeft && (
        <Notice
          kind="failed"
          title={`Not saved: ${fields.join(", ")}`}
          action={
            <>
              <Button size="small" aria-pressed={showsMine} onClick={() => setShowsMine(!showsMine)}>
                {showsMine ? "Show saved settings" : "Show my changes"}
              </Button>
              <Button size="small" variant="quiet" onClick={() => begin(begun(config))}>
                Discard
              </Button>
            </>
          }
        >
          {showsMine
            ? "These are your changes. They are not saved."
            : "The service did not accept your changes. These are the saved settings."}
        </Notice>
      )}
      {isLeft && !showsMine ? (
        <AsServed key={config.updated_ts} {...parts} config={config} />
      ) : (
        <FormProvider {...form}>
          {/* What is typed while it is saved would be lost with the answer. */}
          <RubricForm {...parts} isReadOnly={!canEdit || save.isPending} />
        </FormProvider>
      )}
      {canEdit && (
        <SaveBar
          error={save.error}
          note={`Changes ${fields.join(", ")}`}
          isChanged={fields.length > 0}
          onDiscard={() => begin(begun(config))}
          isSaving={save.isPending}
          disabledReason={
            fields.length === 0
              ? "No changes yet"
              : (incompleteWords(form.formState.errors) ??
                (isMeanwhile ? "Resolve the other change first" : undefined))
          }
          action="Save"
          onSave={() =>
            save.mutate(change, {
              onError: (error) => showRefusal(form, error),
              onSuccess: ({ data }) => {
                begin(data.config ? begun(data.config) : { base: draft, updatedAt });
                toaster.show(savedToast);
              },
            })
          }
        />
      )}
    </>
  );
}

const begun = (config: ConfigIn) => ({ base: draftOf(config), updatedAt: config.updated_ts ?? null });

type AsServedProps = Pick<ComponentProps<typeof RubricForm>, "enables" | "emptyModel"> & { config: ConfigIn };

/** What the service has, to be read beside what it did not take. */
function AsServed({ config, ...parts }: AsServedProps) {
  const { form } = useForm(configRules, draftOf(config));
  return (
    <FormProvider {...form}>
      <RubricForm {...parts} isReadOnly />
    </FormProvider>
  );
}
