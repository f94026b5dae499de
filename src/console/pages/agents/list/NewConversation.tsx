import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { Suspense, useState } from "react";
import { useShortcuts } from "../../../components/frame/shortcuts.ts";
import { Button } from "../../../ui/Button.tsx";
import { later } from "../../../ui/later.ts";
import type { AgentGroup } from "./groups.ts";

const load = () => import("./AgentMenu.tsx");
const AgentMenu = later(load);

type Props = {
  groups: readonly AgentGroup[];
  selected: string | undefined;
  onPick: (agentId: string) => void;
};

/** Begins a conversation: with the selected agent, else it asks with which. */
export function NewConversation({ groups, selected, onPick }: Props) {
  const [isAsked, setAsked] = useState(false);
  const isEmpty = groups.length === 0;
  useShortcuts(
    selected === undefined && !isEmpty
      ? [{ keys: "n", does: "New conversation", run: () => setAsked(true) }]
      : [],
  );
  const button = (
    <Button
      variant="primary"
      aria-label="New conversation"
      disabledReason={isEmpty ? "There is no agent to talk to" : undefined}
      reasonAs="title"
      onPointerEnter={() => void load()}
      onClick={() => (selected === undefined ? setAsked(true) : onPick(selected))}
    >
      <MessageSquarePlus className="sm:hidden" />
      <span className="max-sm:hidden">New conversation</span>
    </Button>
  );
  if (!isAsked || selected !== undefined) return button;
  return (
    <Suspense fallback={button}>
      <AgentMenu groups={groups} onPick={onPick} onClose={() => setAsked(false)} />
    </Suspense>
  );
}
