import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { listArtifacts } from "../../../../contract/artifacts.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { TableList } from "../../../lib/list/ListView.tsx";
import { useRowSelection } from "../../../lib/list/RowSelection.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { noPanel, phone, useMedia } from "../../../lib/useMedia.ts";
import { useStore } from "../../../lib/useStore.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { FloatingBar } from "../../../ui/FloatingBar.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { useAgentNames } from "../../directory/index.ts";
import { OpenSharing, useTeams } from "../../sharing/index.ts";
import { RevokeDialog } from "./RevokeDialog.tsx";
import { groupsOf, sharedColumns } from "./shared-columns.tsx";
import type { RevokeItem } from "./useRevoke.ts";
import { groupOf, useShared } from "./useShared.ts";

type Props = { q: string; onSearch: (q: string) => void };

/** Everything that this person shares: the widest open first, to be taken back one by one or many at once. */
export function SharedPage(props: Props) {
  const canList = useCan("artifacts");
  const parents = [{ key: "artifacts", link: <Link to="/artifacts">Artifacts</Link> }];
  if (canList) return <Listed {...props} parents={parents} />;
  return (
    <Page title="Shared by you" heading="Shared by you" parents={parents}>
      <CannotList />
    </Page>
  );
}

function Listed({ q, onSearch, parents }: Props & { parents: Parameters<typeof Page>[0]["parents"] }) {
  const shared = useShared();
  const [revoked, setRevoked] = useState<readonly RevokeItem[] | null>(null);
  const { first, throughTeams, rows, queryKey } = shared;
  const wanted = q.trim().toLowerCase();
  const fitting = wanted === "" ? rows : rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const selectable = fitting.filter(({ isThroughTeam }) => !isThroughTeam).map(({ artifact }) => artifact.id);
  const selection = useRowSelection(selectable);
  const { ids } = useStore(selection.state);
  const chosen = fitting.filter(({ artifact }) => ids.has(artifact.id));
  const isPhone = useMedia(phone);
  const hasRoom = !useMedia(noPanel);
  const { nameOf } = useTeams();
  const agents = useAgentNames();
  const open = rows.filter((row) => groupOf(row) === "open").length;
  // Nothing was shared by hand: then it depends on what goes through teams.
  const isFirst = first.isPending || hasFailed(first) || rows.length > 0;
  const items = (some: typeof rows) => some.map(({ artifact, name }) => ({ id: artifact.id, name }));
  return (
    <Page
      title={open > 0 ? `Shared by you · ${open} open to anyone` : "Shared by you"}
      heading="Shared by you"
      {...(parents && { parents })}
      live={queryKey}
      actions={
        chosen.length > 0 && (
          <Button className="sm:hidden" onClick={() => setRevoked(items(chosen))}>
            Stop sharing
          </Button>
        )
      }
    >
      <h2 className="px-edge-left pt-4 pb-1 text-title sm:hidden">Shared by you</h2>
      <div className="flex h-filters shrink-0 items-center gap-2 border-b pr-edge-right pl-edge-left">
        <SearchInput
          label="Search by name"
          placeholder="Name"
          data-page-search
          shortcut="/"
          value={q}
          count={`${fitting.length} of ${rows.length}`}
          onText={onSearch}
          className="w-60 max-sm:w-full"
        />
      </div>
      <TableList
        list={{ query: isFirst ? first : throughTeams, damage: shared.damage }}
        what={isFirst ? "Your shared artifacts" : "Artifacts shared through your teams"}
        table={{
          label: "Shared artifacts",
          className: "[&_th]:border-t-0",
          columns: sharedColumns({
            ...{ selection, isPhone, hasRoom, canSelect: selectable.length > 0, teamName: nameOf, agents },
            onRevoke: (row) => setRevoked(items([row])),
            onRead: shared.readRow,
          }),
          groups: groupsOf(fitting, shared.isSettled),
          idOf: ({ artifact }) => artifact.id,
          isSelected: ({ artifact }) => ids.has(artifact.id),
        }}
        empty={
          rows.length === 0 ? (
            <NothingShared />
          ) : (
            <p className="py-6 pr-edge-right pl-edge-left text-muted">
              No matches for “<bdi>{q}</bdi>”.{" "}
              <Button size="small" onClick={() => onSearch("")}>
                Show all
              </Button>
            </p>
          )
        }
        foot={<FootWords count={rows.length} missing={shared.missing} onRead={shared.readRest} />}
        over={
          chosen.length > 0 && (
            <div className="flex justify-center px-4 pb-3 max-sm:hidden">
              <FloatingBar
                label="Selected artifacts"
                actions={
                  <>
                    <Button size="small" variant="quiet" onClick={selection.clear}>
                      Clear selection
                    </Button>
                    <Button size="small" variant="danger" onClick={() => setRevoked(items(chosen))}>
                      Stop sharing…
                    </Button>
                  </>
                }
              >
                {chosen.length} selected
              </FloatingBar>
            </div>
          )
        }
      />
      <OpenSharing artifacts={rows.map(({ artifact }) => artifact)} />
      {revoked !== null && (
        <RevokeDialog
          items={revoked}
          onClose={() => {
            setRevoked(null);
            selection.clear();
          }}
        />
      )}
    </Page>
  );
}

/** Nothing of this person's is open to anybody else. */
function NothingShared() {
  const api = useApi();
  return (
    <EmptyState
      title="Nothing shared yet"
      actions={<LinkButton to="/artifacts">Go to artifacts</LinkButton>}
      curl={curlOfCall(api, listArtifacts, { query: { shared_by_me: true } })}
    >
      Artifacts others can open appear here: by link, by name, through a team or the whole organisation. Share
      an artifact from its page.
    </EmptyState>
  );
}

/** A service without a list over all agents cannot say what a person shares. */
function CannotList() {
  return (
    <EmptyState
      title="This service does not list what you share"
      actions={<LinkButton to="/agents">Go to agents</LinkButton>}
    >
      You can see and change who has access on each artifact’s page.
    </EmptyState>
  );
}

type FootProps = {
  count: number;
  missing: "failed" | "too many" | "reading" | null;
  onRead: () => void;
};

/** How many there are, and what the list leaves out. */
function FootWords({ count, missing, onRead }: FootProps) {
  const files = counted(count, "artifact");
  if (missing === null) return `${files} others can open`;
  if (missing === "reading") return `${files} so far; loading the rest`;
  if (missing === "too many") return `Newest ${files}; older ones are not shown`;
  return (
    <>
      Newest {files}; the rest could not be loaded
      <Button variant="quiet" size="small" onClick={onRead} className="ml-2">
        Try again
      </Button>
    </>
  );
}
