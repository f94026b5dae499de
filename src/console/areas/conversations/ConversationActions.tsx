import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import ListTree from "lucide-react/icons/list-tree";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import type { Keep } from "../../lib/keep/useKeep.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { useConversationWatch } from "../../lib/watch/useWatch.ts";
import { IconButton } from "../../ui/Button.tsx";
import { ConversationMenu } from "./ConversationMenu.tsx";
import type { ConversationFacts } from "./useConversation.ts";

type Props = {
  facts: ConversationFacts;
  agentId: string;
  interactionId: string;
  keep: Keep | null;
  /** The role that the person lacks for all but reading it. */
  missing: string | undefined;
  onRail: (() => void) | undefined;
};

/** What can be done with the conversation, in the bar above it. @param onRail where what stands beside it has to be opened */
export function ConversationActions({ facts, agentId, interactionId, keep, missing, onRail }: Props) {
  const watch = useConversationWatch(interactionId);
  return (
    <>
      <LinkButton to="/agents/$agentId/conversations/new" params={{ agentId }}>
        <MessageSquarePlus />
        <span>New conversation</span>
      </LinkButton>
      {(facts.isMoving || watch.isWatched) && (
        <IconButton
          label={watch.isWatched ? "Stop watching" : "Watch this conversation"}
          onClick={watch.toggle}
        >
          {watch.isWatched ? <EyeOff /> : <Eye />}
        </IconButton>
      )}
      {facts.isRead && (
        <ConversationMenu
          {...{ facts, agentId, interactionId, missing }}
          keep={missing === undefined ? keep : null}
        />
      )}
      {onRail && facts.isRead && (
        <IconButton label="Turns, files and find" onClick={onRail}>
          <ListTree />
        </IconButton>
      )}
    </>
  );
}
