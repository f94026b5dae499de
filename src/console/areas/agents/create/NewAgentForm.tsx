import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useMemo, useRef } from "react";
import type { AgentTool } from "../../../../contract/agents.ts";
import { isRetryable } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { useDraft } from "../../../lib/drafts/useDraft.ts";
import { SecretWarning, useSecretCheck } from "../../../lib/secret-warning/SecretWarning.tsx";
import { counted } from "../../../lib/words.ts";
import { Button, buttonClass } from "../../../ui/Button.tsx";
import { Field, NativeSelect, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { agentMutations, modelQueries } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";
import { ActionError } from "../AgentActions.tsx";
import type { AgentDraft } from "../agent/agent-draft.ts";
import { compareAnswer } from "../agent/compare.ts";
import { ToolList } from "../settings/ToolsSection.tsx";
import type { ToolSelection } from "../tools/selection.ts";
import { useToolTargets } from "../tools/ToolNames.tsx";
import { ToolPicker } from "../tools/ToolPicker.tsx";
import { bodyOf, type NewAgent, newAgentDrafts, startOf } from "./new-agent.ts";

interface CopySource {
  readonly agentId: string;
  readonly name: string;
  readonly teamId: string | null;
  readonly draft: AgentDraft;
}

/** What a new agent begins with. What is typed stays in this browser until the agent is made. */
export function NewAgentForm({ source }: { source: CopySource | null }) {
  const api = useApi();
  const navigate = useNavigate();
  const toaster = useToast();
  const { teams } = useSignedIn();
  const start = useMemo(() => {
    const team = teams?.some(({ id }) => id === source?.teamId) ? (source?.teamId ?? null) : null;
    return startOf(source?.draft ?? null, source === null ? "" : `Copy of ${source.name}`, team);
  }, [source, teams]);
  const kept = useDraft(source === null ? "new agent" : `copy of ${source.agentId}`, newAgentDrafts);
  const form: NewAgent = { ...start, ...kept.draft };
  const create = useMutation(agentMutations.create(api));
  const secret = useSecretCheck(`${form.name}\n${form.description}\n${form.prompt}`);
  const isSent = useRef(false);
  const change = (part: Partial<NewAgent>) => {
    if (create.isError) create.reset();
    kept.change((before) => ({ ...before, ...part }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSent.current || form.name.trim() === "") return;
    isSent.current = true;
    const settle = kept.beginSend();
    const body = bodyOf(form, source?.draft ?? null);
    create.mutate(body, {
      onSuccess: ({ data }) => {
        settle();
        const id = data.agent?.id;
        const lost = compareAnswer(body, data.agent).filter(({ kind }) => kind === "dropped");
        toaster.show({
          tone: lost.length === 0 ? "done" : "stopped",
          title: `${form.name.trim()} created`,
          ...(lost.length > 0 && {
            detail: `The service did not save ${lost.map(({ path }) => path).join(", ")}.`,
          }),
        });
        void (id
          ? navigate({ to: "/agents/$agentId", params: { agentId: id } })
          : navigate({ to: "/agents" }));
      },
      onError: () => {
        isSent.current = false;
      },
    });
  };
  return (
    <form onSubmit={submit} className="grid max-w-[720px] gap-4 py-5 pr-edge-right pl-edge-left">
      <h2 className="text-title sm:hidden">{source === null ? "New agent" : "Copy agent"}</h2>
      {source !== null && (
        <p className="text-muted">
          A copy of <bdi className="font-medium text-default">{source.name}</bdi> as it is now
          {alsoWords(source.draft)}. Conversations, files and earlier versions stay with the original.
        </p>
      )}
      <Field label="Name" required>
        <Input
          value={form.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label="Description" aside="optional">
        <Textarea
          rows={2}
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Model" hint={form.model === "" ? "The first available model." : undefined}>
          <ModelSelect value={form.model} onChange={(model) => change({ model })} />
        </Field>
        <Field
          label="Owner"
          hint={form.team === "" ? "No one else sees it." : "Every member can see, use and change it."}
        >
          <NativeSelect value={form.team} onChange={(event) => change({ team: event.target.value })}>
            <option value="">Only you</option>
            {teams?.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <Field label="System prompt" aside="optional">
        <Textarea
          className="min-h-32"
          value={form.prompt}
          onChange={(event) => change({ prompt: event.target.value })}
        />
      </Field>
      <ToolsField base={start.tools} mine={form.tools} onChange={(tools) => change({ tools })} />
      {secret.secret && (
        <SecretWarning secret={secret.secret} action="It isn’t a secret" onAllow={secret.allow}>
          Anyone who can see the agent can read it. Remove it here and put it in a connection instead.
        </SecretWarning>
      )}
      {create.isError && (
        <>
          <ActionError error={create.error} what="The agent was not created" />
          {isRetryable(create.error) && (
            <Notice kind="waits" look="box" title="It may have been created anyway">
              The response did not arrive in time. Check <Link to="/agents">the list</Link> before you try
              again.
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
            form.name.trim() === ""
              ? "Enter a name first"
              : secret.secret
                ? "Remove the secret, or confirm that it isn’t one"
                : undefined
          }
        >
          {source === null ? "Create agent" : "Create copy"}
        </Button>
        <Link to="/agents" className={buttonClass("quiet")}>
          Cancel
        </Link>
        {kept.draft !== null && kept.keeping === "kept" && (
          <span className="text-faint text-secondary">Draft saved on this device</span>
        )}
      </div>
    </form>
  );
}

/** The models by their groups; those that may not be used say so, and one that is offered no longer stays visible. */
function ModelSelect({ value, onChange, ...wiring }: { value: string; onChange: (model: string) => void }) {
  const { data } = useQuery(modelQueries.list(useApi()));
  const groups = data?.data.model_groups ?? [];
  const offered = groups.flatMap((group) => group?.options ?? []).some((option) => option?.value === value);
  return (
    <NativeSelect {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">Default model</option>
      {value !== "" && !offered && (
        <option value={value}>
          {value}
          {data && ", no longer available"}
        </option>
      )}
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stranger's groups may have equal names or none
        <optgroup key={at} label={group?.label ?? "Models"}>
          {(group?.options ?? []).flatMap((option) =>
            option?.value
              ? [
                  <option key={option.value} value={option.value} disabled={option.restricted === true}>
                    {option.label ?? option.value}
                    {option.restricted === true && ", restricted"}
                  </option>,
                ]
              : [],
          )}
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

type Props = ToolSelection & { readonly onChange: (tools: AgentTool[]) => void };

/** What a new agent may use. Nothing is saved yet, so nothing is marked as edited. */
function ToolsField({ base, mine, onChange }: Props) {
  const targets = useToolTargets();
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <header className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h2 id={titleId} className="font-medium">
          Tools
        </h2>
        <ToolPicker base={base} mine={mine} targets={targets} onChange={onChange} />
      </header>
      <ToolList base={mine} mine={mine} targets={targets} offReason={undefined} onChange={onChange} />
    </section>
  );
}
