import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { listMcpServers } from "../../../contract/mcp.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOfCall } from "../../lib/curl.ts";
import { Failure } from "../../lib/failure/Failure.tsx";
import { isRead, ListView, shapeOf } from "../../lib/list/ListView.tsx";
import { NoMatches } from "../../lib/list/NoMatches.tsx";
import { useListKeys } from "../../lib/list/useListKeys.ts";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import { Page } from "../../lib/page/Page.tsx";
import { ReadAgo } from "../../lib/time/ReadAgo.tsx";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Table } from "../../ui/Table.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useAskOnOpen, useChecks, useConnect } from "./connections.ts";
import { useServers } from "./queries.ts";
import { chosenWords, ServerFilters } from "./ServerFilters.tsx";
import { ServerCards, serverColumns } from "./ServerLists.tsx";
import { Attention, useServerNeeds } from "./ServerNeeds.tsx";
import { ServerPanel } from "./ServerPanel.tsx";
import { type McpSearch, readMcpSearch } from "./search.ts";
import {
  fitsWords,
  groupServers,
  isConnected,
  needsSomebody,
  type ServerRow,
  serverName,
} from "./servers.ts";

/** Up to so many servers the agents that use them are asked for row by row; of more the panel tells. */
const manyRows = 40;

/** Which servers agents can use: silent when all is well; what needs somebody is said first. */
export function McpPage({ search }: { search: McpSearch }) {
  const navigate = useNavigate({ from: "/mcp" });
  const { show } = useToast();
  const servers = useServers(search.team_id);
  const { rows, team, teamError, isTeamKey, query } = servers;
  const checks = useChecks();
  const connect = useConnect(checks.check);
  useAskOnOpen(rows, team?.id ?? null, checks.check);
  const needs = useServerNeeds(rows);
  const waiting = new Set(needs.map(({ row }) => row.id));
  const needsYou = (row: ServerRow) => waiting.has(row.id) || needsSomebody(row);
  const isPhone = useMedia(phone);
  const groups = groupServers(rows.filter((row) => fits(row, search, needsYou)));
  const shown = groups.flatMap((group) => group.rows);
  const tellsUse = useCan("mcp_connections") && shown.length <= manyRows;
  const selected = rows.find((row) => row.id === search.server);
  const teamName = team?.name ?? null;

  const change = (part: Partial<Record<keyof McpSearch, string | undefined>>) =>
    void navigate({ search: (old) => readMcpSearch({ ...old, ...part }), replace: true });
  const pick = (server: string | undefined) => change({ server });
  useListKeys({
    noun: "server",
    ids: shown.map(({ id }) => id),
    current: search.server,
    onMove: pick,
    onClose: () => pick(undefined),
  });
  // Coming back from a sign-in: says that it worked, once, and takes the word out of the address.
  const connectedName = search.connected === 1 && selected ? serverName(selected.server) : null;
  useEffect(() => {
    if (connectedName === null) return;
    show({ tone: "done", title: `${connectedName} is connected`, detail: "Agents can use it from now on." });
    void navigate({ search: ({ connected: _, ...rest }) => rest, replace: true });
  }, [connectedName, show, navigate]);

  const isFiltered = search.q !== undefined || search.show !== undefined || search.type !== undefined;
  const isAsking = ({ id, mine }: ServerRow) =>
    checks.of({ server_id: id, team_id: mine ? null : (team?.id ?? null) })?.isAsking ?? false;
  const list = { isTeamKey, teamName, isAsking, onSelect: pick };
  const columns = serverColumns({ ...list, tellsUse });
  return (
    <Page
      title={narrowedTitle("MCP servers", search.q, ...chosenWords(search))}
      heading="MCP servers"
      live={query.queryKey}
      panelLabel="The selected server"
      panelKind="catalogue"
      {...(search.server !== undefined &&
        isRead(servers) && {
          panel: selected ? (
            <ServerPanel
              key={selected.id}
              row={selected}
              team={team}
              isTeamKey={isTeamKey}
              connect={connect}
              checks={checks}
              onClose={() => pick(undefined)}
            />
          ) : (
            <EmptyState
              title="Server not found"
              actions={<Button onClick={() => pick(undefined)}>Show all servers</Button>}
            >
              There is no MCP server <code className="break-all text-mono">{search.server}</code> that you can
              see.
            </EmptyState>
          ),
        })}
    >
      <ServerFilters
        search={search}
        rows={isRead(servers) ? rows : null}
        needsYou={needsYou}
        teamId={team?.id ?? null}
        isTeamKey={isTeamKey}
        onChange={change}
      />
      {teamError !== null && isRead(servers) && (
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
      <ListView
        list={servers}
        what="The MCP servers"
        shape={shapeOf(columns)}
        isEmpty={shown.length === 0}
        empty={
          <NoServers
            isFiltered={isFiltered}
            onClear={() => change({ q: undefined, show: undefined, type: undefined })}
          />
        }
        foot={
          <>
            Connections as of <ReadAgo of={query.queryKey} />. They show the sign-in, not whether a call would
            succeed
          </>
        }
      >
        {isPhone || search.view === "cards" ? (
          <ServerCards {...list} groups={groups} selected={search.server} isList={isPhone} />
        ) : (
          <Table
            label="MCP servers"
            columns={columns}
            groups={groups}
            idOf={({ id }) => id}
            isSelected={({ id }) => id === search.server}
            onRow={({ id }) => pick(id)}
          />
        )}
      </ListView>
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
      <NoMatches what="servers" more={null} onClear={onClear}>
        Try other words or filters.
      </NoMatches>
    );
  }
  return (
    <EmptyState title="No MCP servers yet" curl={curlOfCall(api, listMcpServers, {})}>
      MCP servers whose tools agents can call appear here. To add one, list it in the workspace’s{" "}
      <code className="text-mono">mcp.json</code> file, in the same format as other clients (
      <code className="text-mono">mcpServers</code>), and restart the service. This command lists the servers.
    </EmptyState>
  );
}
