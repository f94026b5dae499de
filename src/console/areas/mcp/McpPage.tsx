import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useApi } from "../../lib/api.tsx";
import { curlOf } from "../../lib/curl.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { LiveStatus, Page } from "../../lib/page/Page.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { ReadAgo } from "../../lib/time/ReadAgo.tsx";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { later } from "../../ui/later.ts";
import { Notice } from "../../ui/Notice.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useAskOnOpen, useChecks, useConnect } from "./connections.ts";
import { useServers } from "./queries.ts";
import { ServerFilters } from "./ServerFilters.tsx";
import { ServerCards, ServersTable } from "./ServerLists.tsx";
import { Attention, useServerNeeds } from "./ServerNeeds.tsx";
import { type McpSearch, readMcpSearch } from "./search.ts";
import {
  fitsWords,
  groupServers,
  isConnected,
  needsSomebody,
  type ServerRow,
  serverName,
} from "./servers.ts";

const ServerPanel = later(() => import("./ServerPanel.tsx"));

/** Which servers agents can use: silent when all is well; what needs somebody is said first. */
export function McpPage({ search }: { search: McpSearch }) {
  const navigate = useNavigate({ from: "/mcp" });
  const { show } = useToast();
  const { rows, team, teamError, isTeamKey, query, damage } = useServers(search.team_id);
  const checks = useChecks();
  const connect = useConnect(checks.check);
  useAskOnOpen(rows, team?.id ?? null, checks.check);
  const needs = useServerNeeds(rows);
  const waiting = new Set(needs.map(({ row }) => row.id));
  const needsYou = (row: ServerRow) => waiting.has(row.id) || needsSomebody(row);
  const isPhone = useMedia(phone);
  const shown = groupServers(rows.filter((row) => fits(row, search, needsYou))).flatMap(
    (group) => group.rows,
  );
  const selected = rows.find((row) => row.id === search.server);
  const teamName = team?.name ?? null;

  const change = (part: Partial<Record<keyof McpSearch, string | undefined>>) =>
    void navigate({ search: (old) => readMcpSearch({ ...old, ...part }), replace: true });
  const pick = (server: string | undefined) => change({ server });
  const step = (by: 1 | -1) => {
    const at = shown.findIndex((row) => row.id === search.server);
    const next = shown[at === -1 ? (by === 1 ? 0 : shown.length - 1) : at + by];
    if (!next) return;
    pick(next.id);
    document.querySelector(`[data-server="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  useShortcuts([
    { keys: "j", does: "Next server", run: () => step(1) },
    { keys: "k", does: "Previous server", run: () => step(-1) },
    { keys: "Escape", does: "Close the panel", run: () => pick(undefined) },
  ]);
  // Coming back from a sign-in: says that it worked, once, and takes the word out of the address.
  const connectedName = search.connected === 1 && selected ? serverName(selected.server) : null;
  useEffect(() => {
    if (connectedName === null) return;
    show({ tone: "done", title: `${connectedName} is connected`, detail: "Agents can use it from now on." });
    void navigate({ search: ({ connected: _, ...rest }) => rest, replace: true });
  }, [connectedName, show, navigate]);

  const hasFailed = query.isError && query.data === undefined;
  const isFiltered = search.q !== undefined || search.show !== undefined || search.type !== undefined;
  const isAsking = ({ id, mine }: ServerRow) =>
    checks.of({ server_id: id, team_id: mine ? null : (team?.id ?? null) })?.isAsking ?? false;
  const list = { rows: shown, selected: search.server, isTeamKey, teamName, isAsking, onSelect: pick };
  return (
    <Page
      title="MCP servers"
      heading="MCP servers"
      live={<LiveStatus queryKey={query.queryKey} />}
      panelLabel="The selected server"
      panelKind="catalogue"
      {...(search.server !== undefined &&
        !query.isPending &&
        !hasFailed && {
          panel: selected ? (
            <LazyPart>
              <ServerPanel
                key={selected.id}
                row={selected}
                team={team}
                isTeamKey={isTeamKey}
                connect={connect}
                checks={checks}
                onClose={() => pick(undefined)}
              />
            </LazyPart>
          ) : (
            <EmptyState
              title="No such server"
              actions={<Button onClick={() => pick(undefined)}>Show all servers</Button>}
            >
              There is no MCP server <code className="break-all text-mono">{search.server}</code> that you may
              see.
            </EmptyState>
          ),
        })}
    >
      <ServerFilters
        search={search}
        rows={query.isPending || hasFailed ? null : rows}
        needsYou={needsYou}
        teamId={team?.id ?? null}
        isTeamKey={isTeamKey}
        onChange={change}
      />
      {!hasFailed && <Stale query={query} />}
      <Damage damage={damage} />
      {teamError !== null && !hasFailed && (
        <Notice kind="failed">
          <Failure
            error={teamError}
            what={`The servers of team ${teamName}`}
            onRetry={() => void query.refetch()}
          />
        </Notice>
      )}
      <Attention
        needs={needs}
        others={rows.filter((row) => needsYou(row) && !waiting.has(row.id)).length}
        teamName={teamName}
        onShow={pick}
      />
      {query.isPending ? (
        <SkeletonRows label="Reading servers" rows={8} columns={["20px", "2fr", "48px", "1fr", "1fr"]} />
      ) : hasFailed ? (
        <Failure
          error={query.error}
          what="The MCP servers"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : shown.length === 0 ? (
        <NoServers
          isFiltered={isFiltered}
          onClear={() => change({ q: undefined, show: undefined, type: undefined })}
        />
      ) : isPhone || search.view === "cards" ? (
        <ServerCards {...list} isList={isPhone} />
      ) : (
        <ServersTable {...list} />
      )}
      <PageFoot>
        {query.data !== undefined && (
          <>
            Connection as the service told it <ReadAgo of={query.queryKey} />; it says signed in or not, not
            whether a call would succeed
          </>
        )}
      </PageFoot>
    </Page>
  );
}

const fits = (row: ServerRow, { q, show, type }: McpSearch, needsYou: (row: ServerRow) => boolean): boolean =>
  fitsWords(row, q) &&
  (type === undefined || row.server.type === type) &&
  (show === undefined || (show === "connected" ? isConnected(row) : needsYou(row)));

/** Why there are no servers, and the next step. */
function NoServers({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const api = useApi();
  if (isFiltered) {
    return (
      <EmptyState title="No matching servers" actions={<Button onClick={onClear}>Show all servers</Button>}>
        There are none with these words and filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No MCP servers yet"
      curl={curlOf({ method: "GET", url: new URL(`${api.base}/mcp/servers`, location.href).href })}
    >
      Servers whose tools agents may call appear here. Whoever runs the service names them in the file{" "}
      <code className="text-mono">mcp.json</code> of its workspace, in the form that other clients use too (
      <code className="text-mono">mcpServers</code>), and starts the service anew. This line asks for the
      list.
    </EmptyState>
  );
}
