import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ComponentProps, useId, useMemo, useRef } from "react";
import { FormProvider, useController } from "react-hook-form";
import { isRetryable } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { useDraft } from "../../../lib/drafts/useDraft.ts";
import { fieldsOf } from "../../../lib/form/FormField.tsx";
import { showRefusal, useForm } from "../../../lib/form/useForm.ts";
import { changedParts } from "../../../lib/form/useKeptForm.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { useTeamsWith } from "../../../lib/rights/rights.ts";
import { SecretWarning, useSecretCheck } from "../../../lib/secret-warning/SecretWarning.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { NativeSelect, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { agentMutations } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";
import { ActionError } from "../AgentActions.tsx";
import type { AgentDraft } from "../agent/agent-draft.ts";
import { compareAnswer, droppedKeys } from "../agent/compare.ts";
import { useModels } from "../models.ts";
import { ToolList } from "../settings/ToolsSection.tsx";
import type { ToolSelection } from "../tools/selection.ts";
import { useToolTargets } from "../tools/ToolNames.tsx";
import { ToolPicker } from "../tools/ToolPicker.tsx";
import { bodyOf, type NewAgent, newAgentDrafts, newAgentRules, startOf } from "./new-agent.ts";

interface CopySource {
  readonly agentId: string;
  readonly name: string;
  readonly teamId: string | null;
  readonly draft: AgentDraft;
}

const Form = fieldsOf<NewAgent>();

/** What a new agent begins with. What is typed stays in this browser until the agent is made. */
export default function NewAgentForm({ source }: { source: CopySource | null }) {
  const api = useApi();
  const navigate = useNavigate();
  const toaster = useToast();
  const { teams } = useSignedIn();
  const { teams: owners, leftOut } = useTeamsWith(teams, "edit");
  const start = useMemo(() => {
    const team = teams?.some(({ id }) => id === source?.teamId) ? (source?.teamId ?? null) : null;
    return startOf(source?.draft ?? null, source === null ? "" : `Copy of ${source.name}`, team);
  }, [source, teams]);
  const kept = useDraft(source === null ? "new agent" : `copy of ${source.agentId}`, newAgentDrafts);
  const values: NewAgent = { ...start, ...kept.draft };
  const create = useMutation(agentMutations.create(api));
  const { form } = useForm<NewAgent>(newAgentRules, values, (edited) => {
    if (create.isError) create.reset();
    kept.change(() => changedParts(start, edited));
  });
  const { secret, allow } = useSecretCheck(`${values.name}\n${values.description}\n${values.system_prompt}`);
  const isSent = useRef(false);
  const submit = () => {
    if (isSent.current) return;
    isSent.current = true;
    const settle = kept.beginSend();
    const body = bodyOf(values, source?.draft ?? null);
    create.mutate(body, {
      onSuccess: ({ data }) => {
        settle();
        const id = data.agent?.id;
        const lost = droppedKeys(compareAnswer(body, data.agent));
        toaster.show({
          tone: lost.length === 0 ? "done" : "stopped",
          title: `${values.name.trim()} created`,
          ...(lost.length > 0 && { detail: `The service did not save ${lost.join(", ")}.` }),
        });
        void (id
          ? navigate({ to: "/agents/$agentId", params: { agentId: id } })
          : navigate({ to: "/agents" }));
      },
      onError: (error) => {
        isSent.current = false;
        showRefusal(form, error);
      },
    });
  };
  return (
    <FormProvider {...form}>
      <form
        onSubmit={form.handleSubmit(submit)}
        className="grid max-w-[720px] gap-4 py-5 pr-edge-right pl-edge-left"
      >
        <h2 className="text-title sm:hidden">{source === null ? "New agent" : "Copy agent"}</h2>
        {source !== null && (
          <p className="text-muted">
            A copy of <bdi className="font-medium text-default">{source.name}</bdi> as it is now
            {alsoWords(source.draft)}. Conversations, files and earlier versions stay with the original.
          </p>
        )}
        <Form.Field name="name" label="Name" required>
          {(field) => <Input {...field} autoComplete="off" />}
        </Form.Field>
        <Form.Field name="description" label="Description" aside="optional">
          {(field) => <Textarea {...field} rows={2} />}
        </Form.Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Form.Field
            name="model_name"
            label="Model"
            hint={values.model_name === "" ? "The first available model." : undefined}
          >
            {(field) => <ModelSelect {...field} />}
          </Form.Field>
          <Form.Field
            name="team_id"
            label="Owner"
            hint={`${
              values.team_id === ""
                ? "No one else sees it."
                : "Every member can see it; operators can use it, editors change it."
            } ${leftOut ?? ""}`}
          >
            {(field) => (
              <NativeSelect {...field}>
                <option value="">Only you</option>
                {owners.map((team) => (
                  <option key={team.id} value={team.id}>
                    {team.name}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Form.Field>
        </div>
        <Form.Field name="system_prompt" label="System prompt" aside="optional">
          {(field) => <Textarea {...field} className="min-h-32" />}
        </Form.Field>
        <ToolsField base={start.tools} />
        {secret && (
          <SecretWarning secret={secret} action="It isn’t a secret" onAllow={allow}>
            Anyone who can see the agent can read it. Remove it here and put it in a connection instead.
          </SecretWarning>
        )}
        {create.isError && (
          <>
            <ActionError error={create.error} what="The agent was not created" />
            {isRetryable(create.error) && (
              <Notice kind="waits" look="box" title="It may have been created anyway">
                We couldn’t confirm either way. Check <Link to="/agents">the list</Link> before you try again.
              </Notice>
            )}
          </>
        )}
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            loading={create.isPending}
            disabledReason={
              values.name.trim() === ""
                ? "Enter a name first"
                : secret
                  ? "Remove the secret, or confirm that it isn’t one"
                  : undefined
            }
          >
            {source === null ? "Create agent" : "Create copy"}
          </Button>
          <LinkButton to="/agents" variant="quiet">
            Cancel
          </LinkButton>
          {kept.draft !== null && kept.keeping === "kept" && (
            <span className="text-faint text-secondary">Draft saved on this device</span>
          )}
        </div>
      </form>
    </FormProvider>
  );
}

/** The models by their groups; those that may not be used say so, and one that is offered no longer stays visible. */
function ModelSelect({ value, ...wiring }: ComponentProps<"select"> & { value: string }) {
  const { read, groups, options } = useModels();
  return (
    <NativeSelect {...wiring} value={value}>
      <option value="">Default model</option>
      {value !== "" && !options.some((option) => option.value === value) && (
        <option value={value}>
          {value}
          {read.data && ", no longer available"}
        </option>
      )}
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stranger's groups may have equal names or none
        <optgroup key={at} label={group.label || "Models"}>
          {group.options.map(({ value, label, isRestricted }) => (
            <option key={value} value={value} disabled={isRestricted}>
              {label}
              {isRestricted && ", restricted"}
            </option>
          ))}
        </optgroup>
      ))}
    </NativeSelect>
  );
}

function alsoWords({ tools, resources, metadata }: AgentDraft): string {
  const some = (count: number, one: string) => (count === 0 ? null : counted(count, one));
  const sections = Object.keys(metadata).length;
  const parts = [
    some(tools.length, "tool"),
    some(resources.length, "resource"),
    sections === 0 ? null : "its metadata",
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `, with ${parts.join(", ")}`;
}

/** What a new agent may use. Nothing is saved yet, so nothing is marked as edited. */
function ToolsField({ base }: Pick<ToolSelection, "base">) {
  const { field } = useController<NewAgent, "tools">({ name: "tools" });
  const targets = useToolTargets();
  const titleId = useId();
  const picked = { mine: field.value, targets, onChange: field.onChange };
  return (
    <section aria-labelledby={titleId}>
      <header className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h2 id={titleId} className="font-medium">
          Tools
        </h2>
        <ToolPicker {...picked} base={base} />
      </header>
      <ToolList {...picked} base={field.value} offReason={undefined} />
    </section>
  );
}
