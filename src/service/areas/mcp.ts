import type { endpoints } from "../../contract/endpoints.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { askLimits, type McpConnection, type McpServer } from "../../contract/mcp.ts";
import { shownChange } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { McpAnswer } from "../mcp/answer.ts";
import { cataloguedAddress, type McpServerConfig, shownHost } from "../mcp/config.ts";
import { toolCallId } from "../mcp/definition.ts";
import type { McpCall, McpOwner, McpState } from "../mcp/mcp.ts";
import { McpError, type McpFailure } from "../mcp/mcp-error.ts";
import type { AnsweredAsks, Asks } from "../mcp/server-question.ts";
import { teamScope } from "../permission/actor.ts";
import { mayUseServer } from "../permission/servers.ts";
import { formValuesOf } from "../questions/flow-question.ts";
import { restlessServerWords, serverAnswerOf, toldServer } from "../questions/server-questions.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller, Handlers, Request } from "./handler.ts";

type McpHandlers = Pick<Handlers<typeof endpoints>, "listMcpServers" | "getMcpServer" | "callMcpTool">;

/** Servers of the workspace's `mcp.json` that the caller may see; with a team, those that this team may. */
export function seenServers(
  context: Context,
  caller: Caller,
  teamId: string | null,
): readonly McpServerConfig[] {
  return context.mcp.servers.filter(({ teams }) => mayUseServer(caller, teams, teamId));
}

/** A server that the caller may see, and whose connection to it is meant. */
export interface SeenServer {
  readonly server: McpServerConfig;
  readonly owner: McpOwner;
}

/**
 * Finds the server for a request.
 * @throws ServiceError `not_found` (404) for one that the caller may not see, `forbidden` (403) for a foreign team
 */
export function seenServer(
  context: Context,
  caller: Caller,
  id: string,
  teamId: string | null | undefined,
): SeenServer {
  const team = teamScope(caller, teamId);
  const server = seenServers(context, caller, team).find((one) => one.id === id);
  if (server === undefined) {
    throw new ServiceError("not_found", { message: "There is no such MCP server.", param: "server_id" });
  }
  return { server, owner: connectionOwner(caller, team) };
}

/**
 * Whose connection a request means ("Whose credentials run it"): with a team the team's, else the caller's own. Never one
 * in place of the other. A team's key is its team.
 */
function connectionOwner(caller: Caller, teamId: string | null): McpOwner {
  if (teamId !== null) return { type: "team", id: teamId };
  return caller.kind === "team" ? { type: "team", id: caller.teamId } : { type: "user", id: caller.userId };
}

/**
 * §2.5. The status says what is known (`readStates` in the mcp room); looking at the list opens no connection and starts
 * no command.
 */
function showServer(context: Context, { server, owner }: SeenServer, state: McpState): McpServer {
  const query = new URLSearchParams({ server: server.id });
  if (owner.type === "team") query.set("team_id", owner.id);
  const authUrl = `${context.publicUrl}/mcp?${query}`;
  return {
    server_id: server.id,
    name: server.name,
    type: server.type,
    status: state.status,
    icon_url: server.iconUrl,
    description: server.description,
    service_auth_url: authUrl,
    gumloop_auth_url: authUrl,
    mcp_url: cataloguedAddress(server),
    tool_count: state.toolCount,
    allowed_tool_call_ids: null,
    connection: showConnection(server.id, state),
  };
}

function showConnection(serverId: string, state: McpState): McpConnection {
  const time = (date: Date | null) => date?.toISOString() ?? null;
  return {
    auth: state.auth,
    signed_in_at: time(state.signedInAt),
    succeeded_at: time(state.succeededAt),
    failed_at: time(state.failedAt),
    revision: state.revision,
    failure: state.failure,
    held_tool_call_ids: state.held.map((tool) => toolCallId(serverId, tool)),
  };
}

/** The server as its owner sees it now. */
export async function showSeenServer(context: Context, seen: SeenServer): Promise<McpServer> {
  const state = (await context.mcp.states(seen.owner)).get(seen.server.id);
  if (state === undefined) throw new Error(`no state of the MCP server ${seen.server.id}`);
  return showServer(context, seen, state);
}

/** §4.9 */
const listMcpServers: McpHandlers["listMcpServers"] = async (context, { caller, query }) => {
  const team = teamScope(caller, query.team_id);
  const owner = connectionOwner(caller, team);
  const states = await context.mcp.states(owner);
  const servers = seenServers(context, caller, team).flatMap((server) => {
    const state = states.get(server.id);
    return state ? [showServer(context, { server, owner }, state)] : [];
  });
  return { type: "body", body: { servers } };
};

/** Public: one server. */
const getMcpServer: McpHandlers["getMcpServer"] = async (context, { caller, params, query }) => {
  const seen = seenServer(context, caller, params.server_id, query.team_id);
  return { type: "body", body: { server: await showSeenServer(context, seen) } };
};

/** Own: one call, to try a tool. What the tool itself says, also that it failed, is a successful answer. */
const callMcpTool: McpHandlers["callMcpTool"] = async (context, request) => {
  const { caller, params, query, body, requestId, signal } = request;
  const { server, owner } = seenServer(context, caller, params.server_id, query.team_id);
  const begun = performance.now();
  const answered = body.answered ?? [];
  const call = { tool: params.tool, args: toPlain(body.arguments ?? {}), key: requestId, signal };
  try {
    const tools = await context.mcp.listTools(server.id, owner, signal);
    if (!tools.some(({ name }) => name === params.tool)) {
      throw new ServiceError("not_found", { message: "The server has no such tool.", param: "tool" });
    }
    // Before it goes out: what a call did out there cannot be taken back where its entry could not be written.
    const recorded = await context.store.db.transaction().execute((tx) =>
      record(tx, request, {
        action: "mcp.call_tool",
        object: { kind: "mcp_server", id: server.id, name: server.name },
        teamId: owner.type === "team" ? owner.id : null,
        changes: [shownChange("tool", null, params.tool)],
      }),
    );
    const came = await context.mcp.callTool(server.id, owner, call, answered.map(toAnswered));
    const duration_ms = Math.round(performance.now() - begun);
    return { type: "body", body: { ...showTrial(came, server, answered.length), duration_ms }, recorded };
  } catch (error) {
    throw asServiceError(error);
  }
};

type TrialBody = Request<typeof endpoints.callMcpTool>["body"];

/** What was answered to the server in one round, as it is told. @throws ServiceError `invalid_parameter` */
function toAnswered(
  { state, answers }: NonNullable<TrialBody["answered"]>[number],
  round: number,
): AnsweredAsks {
  return {
    state: state ?? null,
    answers: answers.map(({ id, digest, answer, values }, at) => {
      const read = formValuesOf.nullish().safeParse(values);
      if (!read.success) {
        const param = `answered.${round}.answers.${at}.values`;
        throw new ServiceError("invalid_parameter", {
          message: `${param} must hold the values of a form.`,
          param,
        });
      }
      return { id, digest, answer: toldServer(serverAnswerOf(answer, read.data ?? null), values == null) };
    }),
  };
}

/** What the tool answered, or its server asks. @param rounds how often it has asked before in this call */
function showTrial(came: McpAnswer | { readonly asks: Asks }, server: McpServerConfig, rounds: number) {
  if (!("asks" in came)) {
    const { content, structured, isError } = came;
    const blocks = content.map((block) => ({ ...block }));
    return {
      content: blocks,
      ...(structured !== null && { structured_content: structured }),
      is_error: isError,
    };
  }
  if (rounds >= askLimits.rounds)
    throw new ServiceError("tool_call_failed", { message: restlessServerWords });
  const host = shownHost(server);
  const questions = came.asks.questions
    .slice(0, askLimits.questions)
    .map(({ id, digest, shown, refusal }) => ({
      ...{ id, digest, refusal, question: shown?.message ?? "", fields: [...(shown?.fields ?? [])] },
      link: shown?.link ? { ...shown.link, is_foreign: shown.link.host !== host } : null,
    }));
  return { content: [], is_error: false, asks: { state: came.asks.state, questions } };
}

/** What is no fault of the server: it was not called. */
const codes: Partial<Record<McpFailure, ErrorCode>> = {
  unauthenticated: "not_connected",
  no_owner: "not_connected",
  held: "tool_definition_changed",
  no_sign_in: "sign_in_not_offered",
};

/** Without its cause: that is logged, and the SDK's words may quote addresses with keys in them. */
export function asServiceError(error: unknown): unknown {
  if (!(error instanceof McpError)) return error;
  return new ServiceError(codes[error.failure] ?? "tool_call_failed", { message: error.whole });
}

/** A body came from JSON, so all of it is JSON again. */
function toPlain(value: object): McpCall["args"] {
  return JSON.parse(JSON.stringify(value));
}

export const mcpHandlers: McpHandlers = { listMcpServers, getMcpServer, callMcpTool };
