import Ellipsis from "lucide-react/icons/ellipsis";
import { useState } from "react";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { DeleteConversation } from "./DeleteConversation.tsx";
import type { ConversationFacts } from "./useConversation.ts";

type Props = { facts: ConversationFacts; agentId: string; interactionId: string };

/** What can be done with a conversation beside talking. */
export default function ConversationMenu(props: Props) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="More actions" variant="plain">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem isDanger onSelect={() => setAsked(true)}>
          Delete conversation…
        </MenuItem>
      </Menu>
      {isAsked && <DeleteConversation {...props} onClose={() => setAsked(false)} />}
    </>
  );
}
