import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Copy from "lucide-react/icons/copy";
import Ellipsis from "lucide-react/icons/ellipsis";
import LinkIcon from "lucide-react/icons/link";
import MessageSquare from "lucide-react/icons/message-square";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { copyText } from "../../ui/copyText.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { later } from "../../ui/later.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { useToast } from "../../ui/toastContext.ts";
import { artifactName } from "./artifact-row.ts";
import { isDeletable } from "./deletable.ts";
import type { ArtifactIn } from "./queries.ts";

const DeleteArtifacts = later(() => import("./DeleteArtifacts.tsx"));

/** What else can be done with an artifact. */
export function ArtifactMenu({ row }: { row: ArtifactIn }) {
  const navigate = useNavigate();
  const { who } = useApi();
  const canDelete = useCan("artifact_deletion") && isDeletable(row, who);
  const [isDeleting, setDeleting] = useState(false);
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
    <>
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
        {canDelete && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash />} isDanger onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {isDeleting && (
        <LazyPart>
          <DeleteArtifacts
            artifacts={[{ id: row.id, name: artifactName(row) }]}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ to: "/artifacts" })}
          />
        </LazyPart>
      )}
    </>
  );
}
