import { Link, useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import ChevronDown from "lucide-react/icons/chevron-down";
import Copy from "lucide-react/icons/copy";
import LinkIcon from "lucide-react/icons/link";
import MessageSquare from "lucide-react/icons/message-square";
import Trash from "lucide-react/icons/trash-2";
import { type ReactNode, useState } from "react";
import { AdminItems } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { useMissingRightOf } from "../../lib/rights/rights.ts";
import { formatMoment, parseTime } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { useCopy } from "../../ui/CopyButton.tsx";
import {
  Menu,
  MenuChoice,
  MenuChoices,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MoreMenu,
} from "../../ui/Menu.tsx";
import { dottedClass } from "../../ui/textClass.ts";
import { usePerson } from "../directory/index.ts";
import { artifactName, sizeWords } from "./artifact-row.ts";
import { DeleteArtifacts, isDeletable } from "./deletion.tsx";
import { ConversationName } from "./list/ArtifactTable.tsx";
import type { ArtifactIn } from "./queries.ts";
import type { FileVersion } from "./versions/useVersions.ts";

type Props = {
  row: ArtifactIn;
  name: string;
  shown: FileVersion | undefined;
  versions: readonly FileVersion[];
  agents: ReadonlyMap<string, string>;
  conversations: ReadonlyMap<string, string>;
  /** The number of a version; undefined for the newest. */
  onVersion: (number: string | undefined) => void;
  actions: ReactNode;
};

/** What the file is and where it came from, over everything else of it. */
export function ArtifactHeader(props: Props) {
  const { row, name, shown, versions, agents, conversations, actions } = props;
  const { zone } = usePreferences();
  const person = usePerson();
  const at = parseTime(shown?.at);
  const by = row.agent_id ? (agents.get(row.agent_id) ?? row.agent_id) : null;
  return (
    <header className="flex shrink-0 items-start gap-4 py-3.5 pr-edge-right pl-edge-left">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 className="min-w-0 break-words text-title">
            <bdi>{name}</bdi>
          </h2>
          {versions.length > 1 ? (
            <Menu
              trigger={
                <Button size="small" aria-label={`Version ${shown?.number ?? ""}, choose another`}>
                  <span className="font-normal text-muted">Version</span> {shown?.number ?? "…"}
                  <ChevronDown />
                </Button>
              }
            >
              <MenuChoices
                value={shown?.key ?? ""}
                onValueChange={(key) => {
                  const picked = versions.find((one) => one.key === key);
                  props.onVersion(
                    picked && !picked.isNewest && picked.number !== null ? String(picked.number) : undefined,
                  );
                }}
              >
                {versions.map((version) => (
                  <MenuChoice key={version.key} value={version.key}>
                    Version {version.number ?? "unknown"}
                    {version.isNewest && <span className="text-muted"> newest</span>}
                  </MenuChoice>
                ))}
              </MenuChoices>
            </Menu>
          ) : (
            shown?.number != null && <span className="text-muted text-secondary">version {shown.number}</span>
          )}
        </div>
        <p className={`mt-1 text-muted text-secondary ${dottedClass}`}>
          <span>
            {by === null ? (
              "unknown agent"
            ) : (
              <>
                by{" "}
                <Link
                  to="/agents/$agentId"
                  params={{ agentId: row.agent_id ?? "" }}
                  className="rounded-tag hover:text-default hover:underline"
                >
                  <bdi>{by}</bdi>
                </Link>
              </>
            )}
            ,{" "}
            {at === null ? (
              "unknown time"
            ) : (
              <time dateTime={shown?.at ?? ""}>{formatMoment(at, { zone })}</time>
            )}
          </span>
          <span>
            {shown?.mediaType ?? "unknown type"},{" "}
            {shown && shown.size !== null ? sizeWords(shown.size) : "unknown size"}
          </span>
          <span
            className="max-w-full min-w-0 truncate sm:max-w-[340px]"
            title={shown?.by ? `Created for ${person(null, shown.by)}` : undefined}
          >
            from conversation <ConversationName row={row} names={conversations} />
          </span>
        </p>
      </div>
      {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </header>
  );
}

/** What else can be done with an artifact. */
export function ArtifactMenu({ row }: { row: ArtifactIn }) {
  const navigate = useNavigate();
  const { who } = useApi();
  const canDelete = useCan("artifact_deletion") && isDeletable(row, who);
  // Of what has no creator the role in its team says who may.
  const isTeams = canDelete && !row.creator?.id;
  const missing = useMissingRightOf("artifact", isTeams ? row.id : undefined, "delete");
  const [isDeleting, setDeleting] = useState(false);
  const copy = useCopy();
  const { agent_id: agentId, session_id: interactionId } = row;
  return (
    <>
      <MoreMenu label="More" variant="plain">
        <MenuItem icon={<LinkIcon />} onSelect={() => void copy(location.href, { title: "Link copied" })}>
          Copy link to this page
        </MenuItem>
        <MenuItem icon={<Copy />} onSelect={() => void copy(row.id, { title: "Artifact ID copied" })}>
          Copy artifact ID
        </MenuItem>
        <AdminItems kind="artifact" id={row.id} icons />
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
                Open conversation
              </MenuItem>
            )}
            <MenuItem
              icon={<Bot />}
              onSelect={() => void navigate({ to: "/agents/$agentId", params: { agentId } })}
            >
              Open agent
            </MenuItem>
          </>
        )}
        {canDelete && (
          <>
            <MenuSeparator />
            {missing === undefined ? (
              <MenuItem icon={<Trash />} isDanger onSelect={() => setDeleting(true)}>
                Delete…
              </MenuItem>
            ) : (
              <MenuLabel>Delete: {missing}</MenuLabel>
            )}
          </>
        )}
      </MoreMenu>
      {isDeleting && (
        <DeleteArtifacts
          artifacts={[{ id: row.id, name: artifactName(row) }]}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: "/artifacts" })}
        />
      )}
    </>
  );
}
