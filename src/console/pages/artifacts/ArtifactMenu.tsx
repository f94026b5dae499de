import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Copy from "lucide-react/icons/copy";
import Ellipsis from "lucide-react/icons/ellipsis";
import LinkIcon from "lucide-react/icons/link";
import MessageSquare from "lucide-react/icons/message-square";
import type { ArtifactIn } from "../../api/queries/artifacts.ts";
import { copyText } from "../../ui/copyText.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { useToast } from "../../ui/toastContext.ts";

/** What else can be done with an artifact. */
export function ArtifactMenu({ row }: { row: ArtifactIn }) {
  const navigate = useNavigate();
  const toaster = useToast();
  const { agent_id: agentId, session_id: interactionId } = row;
  const copy = async (text: string, what: string) => {
    const isCopied = await copyText(text);
    toaster.show(
      isCopied
        ? { tone: "done", title: `${what} copied` }
        : { tone: "failed", title: `${what} could not be copied` },
    );
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton variant="plain" label="More">
          <Ellipsis />
        </IconButton>
      }
    >
      <MenuItem icon={<LinkIcon />} onSelect={() => void copy(location.href, "The link to this page")}>
        Copy link to this page
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => void copy(row.id, "The artifact's id")}>
        Copy artifact id
      </MenuItem>
      {agentId && (
        <>
          <MenuSeparator />
          {interactionId && (
            <MenuItem
              icon={<MessageSquare />}
              onSelect={() =>
                void navigate({
                  to: "/agents/$agentId/conversations/$interactionId",
                  params: { agentId, interactionId },
                })
              }
            >
              Open the conversation
            </MenuItem>
          )}
          <MenuItem
            icon={<Bot />}
            onSelect={() => void navigate({ to: "/agents/$agentId", params: { agentId } })}
          >
            Open the agent
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
