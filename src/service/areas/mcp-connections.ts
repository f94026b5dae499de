import { createHash } from "node:crypto";
import type { endpoints } from "../../contract/endpoints.ts";
import { mcpCallbackPath } from "../../contract/mcp-connection.ts";
import { shownChange } from "../audit/changes.ts";
import { nothingChanged, type Recorded, record, recordMcpConnect } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { Sender } from "../guessing/guesses.ts";
import type { McpServerConfig } from "../mcp/config.ts";
import { toolCallId } from "../mcp/definition.ts";
import type { McpOwner } from "../mcp/mcp.ts";
import { personOf } from "../permission/actor.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import type { Handlers } from "./handler.ts";
import { asServiceError, seenServer } from "./mcp.ts";

type McpConnectionHandlers = Pick<
  Handlers<typeof endpoints>,
  "startMcpSignIn" | "disconnectMcp" | "approveMcpTools"
>;

/**
 * Each sign-in has a cookie of its own, so that two in one browser do not end each other. Where there is TLS no other host of
 * the same domain can set it, to have somebody else's browser finish a sign-in that it has begun itself.
 */
function cookieOf(state: string, publicUrl: string): { readonly name: string; readonly path: string } {
  const name = `wheelhouse_mcp_${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  // The prefix __Host- wants the whole host.
  if (publicUrl.startsWith("https:")) return { name: `__Host-${name}`, path: "/" };
  return { name, path: mcpCallbackPath };
}

/** Own: begins a sign-in, and gives the browser the cookie that it must bring back. */
const startMcpSignIn: McpConnectionHandlers["startMcpSignIn"] = async (context, request) => {
  const { caller, body, signal } = request;
  const { server, owner } = seenServer(context, caller, body.server_id, body.team_id);
  let recorded: Recorded = nothingChanged();
  try {
    const by = { person: personOf(caller), credential: caller.credentialId };
    const begun = await context.mcp.startSignIn(server.id, owner, by, signal, async (tx) => {
      recorded = await record(tx, request, { action: "mcp.begin_sign_in", ...aboutServer(server, owner) });
    });
    const { authorizationUrl, state, browser } = begun;
    return {
      type: "body",
      body: { authorization_url: authorizationUrl },
      cookie: { ...cookieOf(state, context.publicUrl), value: browser, maxAgeSeconds: 600 },
      recorded,
    };
  } catch (error) {
    throw asServiceError(error);
  }
};

/** As entries of the audit log say it. */
function aboutServer({ id, name }: McpServerConfig, owner: McpOwner) {
  return {
    object: { kind: "mcp_server", id, name } as const,
    teamId: owner.type === "team" ? owner.id : null,
  };
}

/** What a browser that comes back from a sign-in is told. */
export type SignInEnding =
  /** Go there: a path of the console. */
  | { readonly type: "page"; readonly path: string }
  /** Nothing came of it, in plain words; `path` leads back to where it can be begun again. */
  | { readonly type: "refused"; readonly title: string; readonly text: string; readonly path: string };

/**
 * Ends a sign-in when the browser comes back, within ten minutes, once, in the browser that began it (S-49).
 * @param query as the server's sign-in sent it
 * @param cookies of the request, by name; `from` who sends it
 * @throws ServiceError `too_many_requests` where too many made up how their sign-in began
 */
export async function finishSignIn(
  context: Context,
  query: URLSearchParams,
  cookies: ReadonlyMap<string, string>,
  from: Sender,
  signal: AbortSignal,
): Promise<SignInEnding> {
  const state = query.get("state");
  const back = {
    state,
    code: query.get("code"),
    error: query.get("error"),
    issuer: query.get("iss"),
    browser: (state === null ? undefined : cookies.get(cookieOf(state, context.publicUrl).name)) ?? null,
  };
  const finish = () =>
    context.mcp.finishSignIn(back, signal, async (tx, who) => {
      const server = context.mcp.servers.find(({ id }) => id === who.serverId);
      if (server !== undefined) await recordMcpConnect(tx, who.startedBy, aboutServer(server, who.owner));
    });
  const event = { action: "session.refuse", object: { kind: "mcp_server", id: null } } as const;
  const known = await context.guesses.compare({ from, account: null, event }, async () => {
    const ended = await finish();
    return ended.type === "refused" && ended.why === "unknown" ? null : ended;
  });
  const came = known ?? ({ type: "refused", why: "unknown", server: null } as const);
  if (came.type === "connected") {
    const page = new URLSearchParams({ server: came.serverId });
    if (came.owner.type === "team") page.set("team_id", came.owner.id);
    page.set("connected", "1");
    return { type: "page", path: `/mcp?${page}` };
  }
  const { server, why } = came;
  const path = server === null ? "/mcp" : `/mcp?${new URLSearchParams({ server: server.id })}`;
  return { type: "refused", path, ...wordsFor(why, server?.name ?? "the MCP server") };
}

function wordsFor(why: "unknown" | "other_browser" | "denied" | "failed", name: string) {
  switch (why) {
    case "denied":
      return {
        title: `${name} is not connected`,
        text: "Access was denied there. Nothing was changed here.",
      };
    case "other_browser":
      return {
        title: "This sign-in belongs to another browser",
        text: "It was started in another browser, or at another address of this service, and can only be finished there.",
      };
    case "unknown":
      return {
        title: "This sign-in cannot be finished",
        text: "It was already used, or it expired after ten minutes. Start again.",
      };
    case "failed":
      return {
        title: `${name} is not connected`,
        text: "The sign-in did not grant the required access. Start again; if that does not help, contact whoever runs the server.",
      };
  }
}

/** Own: forgets the tokens of the caller, or of the team. */
const disconnectMcp: McpConnectionHandlers["disconnectMcp"] = async (context, request) => {
  const { caller, body } = request;
  const { server, owner } = seenServer(context, caller, body.server_id, body.team_id);
  let recorded: Recorded = nothingChanged();
  const disconnected = await context.mcp.signOut(server.id, owner, async (tx) => {
    recorded = await record(tx, request, { action: "mcp.disconnect", ...aboutServer(server, owner) });
  });
  return { type: "body", body: { disconnected }, recorded };
};

/** Own: takes tools as looked at (S-47), all or none. */
const approveMcpTools: McpConnectionHandlers["approveMcpTools"] = async (context, request) => {
  const { caller, body } = request;
  const { server, owner } = seenServer(context, caller, body.server_id, body.team_id);
  const beginning = toolCallId(server.id, "");
  const tools = body.tools.map(({ tool_call_id: id, definition_hash: hash }) => {
    if (!id.startsWith(beginning)) {
      throw new ServiceError("invalid_body", {
        message: `${id} is no tool of ${server.id}.`,
        param: "tools",
      });
    }
    return { tool: id.slice(beginning.length), hash };
  });
  let recorded: Recorded = nothingChanged();
  const within = async (tx: Tx) => {
    const changes = tools.map(({ tool }) => shownChange(tool, null, "approved"));
    const event = { action: "mcp.approve_tools", ...aboutServer(server, owner), changes } as const;
    recorded = await record(tx, request, event);
  };
  try {
    if (!(await context.mcp.approve(server.id, owner, tools, personOf(caller), within))) {
      throw new ServiceError("tool_definition_changed");
    }
  } catch (error) {
    throw asServiceError(error);
  }
  return { type: "body", body: { approved: body.tools.map((tool) => tool.tool_call_id) }, recorded };
};

export const mcpConnectionHandlers: McpConnectionHandlers = {
  startMcpSignIn,
  disconnectMcp,
  approveMcpTools,
};
