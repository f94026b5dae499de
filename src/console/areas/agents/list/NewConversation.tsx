import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { Button } from "../../../ui/Button.tsx";
import { later } from "../../../ui/later.ts";

const load = () => import("./PickAgent.tsx");
const PickAgent = later(load);

type Props = {
  /** There is no agent at all. */
  isEmpty: boolean;
  selected: string | undefined;
  /** It is asked with which agent. */
  isAsked: boolean;
  onAsk: (isAsked: boolean) => void;
  onPick: (agentId: string) => void;
};

/** Begins a conversation: with the selected agent, else it asks with which. */
export function NewConversation({ isEmpty, selected, isAsked, onAsk, onPick }: Props) {
  const begin = () => (selected === undefined ? onAsk(true) : onPick(selected));
  useShortcuts(isEmpty ? [] : [{ keys: "n", does: "New conversation", run: begin }]);
  return (
    <>
      <Button
        variant="primary"
        aria-label="New conversation"
        disabledReason={isEmpty ? "There is no agent to talk to" : undefined}
        reasonAs="title"
        onPointerEnter={() => void load()}
        onClick={begin}
      >
        <MessageSquarePlus className="sm:hidden" />
        <span className="max-sm:hidden">New conversation</span>
      </Button>
      {isAsked && (
        <LazyPart>
          <PickAgent onPick={onPick} onClose={() => onAsk(false)} />
        </LazyPart>
      )}
    </>
  );
}
