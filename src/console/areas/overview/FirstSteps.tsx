import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isSurelyNot } from "../../api/describe-error.ts";
import { useApi } from "../../lib/api.tsx";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { shownName } from "../../lib/shownName.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { CodeLine } from "../../ui/CopyButton.tsx";
import { StateShape } from "../../ui/State.tsx";
import { runMutations } from "../runs/index.ts";

import type { FirstSteps as Steps } from "./useFirstSteps.ts";

/** The way through the first quarter of an hour: a run, a conversation, a file, a share. */
export function FirstSteps({ steps }: { steps: Steps }) {
  return (
    <section aria-labelledby="first-steps">
      <header className="flex flex-wrap items-baseline gap-x-3 border-b py-4 pr-edge-right pl-edge-left">
        <h2 id="first-steps" className="text-title">
          First steps
        </h2>
        <p className="min-w-0 flex-1 text-muted">Start a run, talk to an agent, and share a file.</p>
        <Button variant="quiet" size="small" onClick={steps.hide}>
          Hide
        </Button>
      </header>
      <ol>
        <RunStep steps={steps} />
        <ConversationStep steps={steps} />
        <FileStep steps={steps} />
        <ShareStep steps={steps} />
      </ol>
    </section>
  );
}

function RunStep({ steps: { flow, hasNoFlow, hasRun } }: { steps: Steps }) {
  const api = useApi();
  const navigate = useNavigate();
  const start = useMutation(runMutations.start(api));
  const isStarting = start.isPending || start.isSuccess;
  return (
    <Step
      isDone={hasRun}
      name="Start a run"
      action={
        hasNoFlow ? null : flow === null ? (
          <LinkButton to="/runs/new" variant={hasRun ? "plain" : "primary"}>
            Choose a flow
          </LinkButton>
        ) : (
          <Button
            variant={hasRun ? "plain" : "primary"}
            loading={isStarting}
            onClick={() =>
              start.mutate(
                { savedItemId: flow.id, savedItemName: flow.name, inputs: {}, projectId: api.who.teamId },
                { onSuccess: ({ runId }) => void navigate({ to: "/runs/$runId", params: { runId } }) },
              )
            }
          >
            <span>
              Start “<bdi>{shownName(flow.name)}</bdi>”
            </span>
          </Button>
        )
      }
      below={
        start.isError && (
          <NotDone
            error={start.error}
            title={isSurelyNot(start.error) ? "The run was not started" : "The run may have started"}
            action={<Link to="/runs">Check the runs list</Link>}
          />
        )
      }
    >
      {hasNoFlow ? (
        <>
          The service has no flows yet. To add one, put its file in the workspace’s{" "}
          <code className="text-mono">flows</code> folder and restart the service.
        </>
      ) : (
        `${flow?.description ?? "A flow is a workflow of steps."} Watch its log live, with the output next to it.`
      )}
    </Step>
  );
}

function ConversationStep({ steps }: { steps: Steps }) {
  const { agent, hasNoAgent, makesAgent, hasNoFlow, hasNoModel, hasRun, hasConversation } = steps;
  const look = buttonClass((hasRun || hasNoFlow) && !hasConversation ? "primary" : "plain");
  return (
    <Step
      isDone={hasConversation}
      name="Talk to an agent"
      action={
        makesAgent ? (
          <Link to="/agents/new" className={look}>
            New agent
          </Link>
        ) : hasNoAgent ? null : agent === null ? (
          <Link to="/agents" search={{ conversation: true }} className={look}>
            Choose an agent
          </Link>
        ) : (
          <Link to="/agents/$agentId/conversations/new" params={{ agentId: agent.id }} className={look}>
            <span>
              Talk to <bdi>{shownName(agent.name)}</bdi>
            </span>
          </Link>
        )
      }
      below={hasNoModel && <NoModel />}
    >
      {hasNoAgent && !makesAgent
        ? "You have no agent to talk to yet."
        : "Ask for something and follow each tool call as the agent works."}
    </Step>
  );
}

/** What it means that only the built-in model is there, and how that ends. */
function NoModel() {
  return (
    <div className="max-w-text text-muted">
      <p>
        <strong className="font-medium text-default">No model is connected.</strong> Until then, agents can
        only run their built-in prompts, such as writing a file. To connect a model, start the service with a
        provider’s key:
      </p>
      <CodeLine code="ANTHROPIC_API_KEY=… npm start" what="the command" className="mt-1.5" />
      <p className="mt-1.5 text-secondary">
        OPENAI_API_KEY works too, and WHEELHOUSE_OPENAI_COMPATIBLE_URL for a model on your own machine. Then
        choose the model in the agent’s settings.
      </p>
    </div>
  );
}

function FileStep({ steps: { file, agent, hasConversation, hasLooked, look } }: { steps: Steps }) {
  return (
    <Step
      isDone={hasLooked}
      name="Open a file"
      action={
        file && (
          <LinkButton
            to="/artifacts/$artifactId"
            params={{ artifactId: file.id }}
            search={file.agent_id ? { agent: file.agent_id } : {}}
            variant={hasConversation && !hasLooked ? "primary" : "plain"}
            onClick={look}
          >
            <span>
              Open <bdi>{nameOf(file)}</bdi>
            </span>
          </LinkButton>
        )
      }
    >
      {file
        ? "Every file an agent writes, with all versions."
        : `Ask ${shownName(agent?.name ?? "an agent")} to write a file, and it appears here.`}
    </Step>
  );
}

function ShareStep({ steps: { file, hasConversation, hasLooked, hasShared } }: { steps: Steps }) {
  return (
    <Step
      isDone={hasShared}
      name="Share it"
      action={
        file && (
          <LinkButton
            to="/artifacts/$artifactId"
            params={{ artifactId: file.id }}
            // The dialog is no part of what the page itself reads from its address.
            search={{ ...(file.agent_id && { agent: file.agent_id }), share: file.id } as { agent?: string }}
            variant={hasConversation && hasLooked && !hasShared ? "primary" : "plain"}
          >
            <span>
              Share <bdi>{nameOf(file)}</bdi>
            </span>
          </LinkButton>
        )
      }
    >
      With people, a team, or anyone with the link. You can stop sharing at any time.
    </Step>
  );
}

const nameOf = (file: { readonly id: string; readonly filename?: string | null | undefined }) =>
  shownName(file.filename || file.id);

type StepProps = {
  /** Left out where nothing tells. */
  isDone?: boolean;
  name: string;
  /** One line about it. */
  children: ReactNode;
  action: ReactNode;
  below?: ReactNode;
};

function Step({ isDone, name, children, action, below }: StepProps) {
  return (
    <li className="border-b py-3 pr-edge-right pl-edge-left">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <StateShape tone={isDone ? "done" : "waiting"} className="mt-[3px]" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">
            {name}
            {isDone && <span className="sr-only">, done</span>}
          </p>
          <p className="text-muted">{children}</p>
        </div>
        <span className="max-w-full shrink-0 max-sm:pl-[26px]">{action}</span>
      </div>
      {below && <div className="mt-2.5 pl-[26px]">{below}</div>}
    </li>
  );
}
