import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { offlineModel } from "../../../contract/models.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useKeptValue } from "../../lib/drafts/useDraft.ts";
import type { Join } from "../../lib/history/drafts.ts";
import { useStore } from "../../lib/useStore.ts";
import { type ArtifactIn, artifactQueries, readArtifacts } from "../artifacts/index.ts";
import { interactionQueries } from "../conversations/index.ts";
import { agentQueries, modelQueries, useHasNoAgent } from "../directory/index.ts";
import { flowQueries } from "../runs/index.ts";

/** What the sample workspace begins with (`workspace/flows/hello.yaml`, `workspace/agents/scribe.yaml`). */
const sample = { flow: "flow_hello", agent: "agent_scribe" };
/** So many agents are asked whether anybody talked to them. */
const mostAgents = 10;
const place = "first steps";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Whether the first steps stand on the overview, how far they are, and what each is done with. */
export interface FirstSteps {
  /** They lead; null as long as that is not known. */
  readonly isShown: boolean | null;
  readonly hasRun: boolean;
  readonly hasConversation: boolean;
  /** The sample's first flow; null where the service does not list it. */
  readonly flow: (Named & { readonly description: string | null }) | null;
  /** The service lists its flows, and has none for this person. */
  readonly hasNoFlow: boolean;
  /** The sample's first agent, else the first one; null for none. */
  readonly agent: Named | null;
  /** The service has no agent that this person may talk to, */
  readonly hasNoAgent: boolean;
  /** who may make one. */
  readonly makesAgent: boolean;
  /** The service has its built-in model alone. */
  readonly hasNoModel: boolean;
  /** The newest file of an agent; null for none, or where the service does not list them. */
  readonly file: ArtifactIn | null;
  readonly hasLooked: boolean;
  /** The person opens the file. */
  readonly look: () => void;
  readonly hasShared: boolean;
  /** The person has seen enough of them. */
  readonly hide: () => void;
}

/**
 * The way through the first quarter of an hour: it leads until somebody has started a run and talked to an agent, and
 * whom it led sees it until a file was shared, or it was hidden by hand.
 * @param known how many conversations this browser knows
 */
export function useFirstSteps({ hasRun, known }: { hasRun: boolean; known: number }): FirstSteps {
  const api = useApi();
  const { kept, keep } = useKeptChoice();
  const canList = useCan("sessions");
  const canMake = useCan("agent_create");
  const listsFiles = useCan("artifacts");
  const asksWho = kept !== "hidden" && known === 0;
  const agents = useQuery({ ...agentQueries.list(api, { sort_order: "name_asc" }), enabled: asksWho });
  const listed = (agents.data?.data.agents ?? []).flatMap((one) =>
    one?.id ? [{ id: one.id, name: one.name || one.id }] : [],
  );
  const conversations = useQueries({
    queries: listed.slice(0, mostAgents).map(({ id }) => ({
      ...interactionQueries.ofAgent(api, id, {}, 1),
      enabled: asksWho && canList,
    })),
  });
  const hasNoAgent = useHasNoAgent();
  const isAsking =
    asksWho && (agents.isLoading || (canList && conversations.some(({ isLoading }) => isLoading)));
  const hasConversation =
    known > 0 || conversations.some(({ data }) => (data?.data.sessions ?? []).length > 0);
  const isNew = !hasRun || (!isAsking && !hasConversation);
  const isLed = kept === "leads" || kept === "looked";
  const leads = kept !== "hidden" && (isNew || isLed);

  const flows = useQuery({ ...flowQueries.list(api), enabled: useCan("saved_items") && leads });
  const models = useQuery({ ...modelQueries.list(api), enabled: leads });
  const files = useQuery({
    ...artifactQueries.all(api, { sort_order: "newest" }),
    enabled: listsFiles && leads,
  });
  const shared = useQuery({
    ...artifactQueries.all(api, {}, { kind: "all", shared: "by hand" }),
    enabled: listsFiles && leads,
  });
  // A service that does not know the question answers with every file: what it calls shared is.
  const hasShared = readArtifacts(shared.data?.data).some((one) => "sharing" in one && one.sharing != null);
  const isOver = hasRun && hasConversation && (hasShared || !listsFiles);

  useEffect(() => {
    if (kept === null && isNew && !isAsking) keep("leads");
    if (isLed && isOver) keep("hidden");
  }, [kept, isNew, isAsking, isLed, isOver, keep]);

  const flow = (flows.data?.data.saved_items ?? []).find((one) => one.saved_item_id === sample.flow);
  const names = (models.data?.data.model_groups ?? []).flatMap((group) =>
    (group?.options ?? []).flatMap((option) => option?.value ?? []),
  );
  return {
    isShown: kept === "unknown" || (isAsking && hasRun) ? null : leads && !isOver,
    hasRun,
    hasConversation,
    flow: flow
      ? { id: sample.flow, name: flow.name || sample.flow, description: flow.description ?? null }
      : null,
    hasNoFlow: flows.data?.data.saved_items?.length === 0,
    agent: listed.find(({ id }) => id === sample.agent) ?? listed[0] ?? null,
    hasNoAgent,
    makesAgent: canMake && hasNoAgent,
    hasNoModel: names.length > 0 && names.every((name) => name === offlineModel),
    file: readArtifacts(files.data?.data)[0] ?? null,
    hasLooked: kept === "looked",
    look: () => keep("looked"),
    hasShared,
    hide: () => keep("hidden"),
  };
}

/** `looked`: they lead, and the file was looked at. */
type Choice = "leads" | "looked" | "hidden";

/** What this browser keeps of it for this person; `unknown` until the browser's store has answered, or cannot. */
function useKeptChoice() {
  const { drafts } = useApi();
  const kept = useKeptValue(place, read);
  const isKnown = useStore(drafts.isKnown);
  const isBroken = useStore(drafts.trouble) !== null;
  const [keep] = useState(() => (choice: Choice) => void drafts.set(place, choice, laterStays));
  return { kept: isKnown || isBroken ? kept : "unknown", keep };
}

/** In the order in which they come. */
const choices: readonly Choice[] = ["leads", "looked", "hidden"];

const read = (kept: unknown): Choice | null => choices.find((choice) => choice === kept) ?? null;

/** A choice that was made before the browser's store had answered does not take back a later one. */
const laterStays: Join = (kept, made) => {
  const place = (choice: unknown) => choices.findIndex((one) => Object.is(one, choice));
  return place(kept) > place(made) ? kept : made;
};
