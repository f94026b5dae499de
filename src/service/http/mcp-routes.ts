import { approveMcpTools, disconnectMcp, startMcpSignIn } from "../../contract/mcp-connection.ts";
import type { Handler } from "../areas/handler.ts";
import { approveTools, disconnect, finishSignIn, startSignIn } from "../areas/mcp-connections.ts";
import type { Context } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, emptyAnswer } from "./answer.ts";
import { type Arrival, createRoute } from "./route.ts";
import { assetHeaders } from "./security-headers.ts";
import { wordsPage } from "./words-page.ts";

/** The routes of mcp-connection.ts and the pictures of servers: what the console's page of MCP servers needs of HTTP. */
export interface McpRoutes {
  /** The calls, all `POST`, by their whole paths. */
  readonly calls: Readonly<Record<string, (arrival: Arrival) => Promise<Answer>>>;
  /** Where a server's sign-in sends the browser. */
  callback(request: Request): Promise<Answer>;
  /** The picture of a server, for anybody: an `img` element carries no credential, and the operator chose the picture. */
  icon(request: Request, serverId: string): Promise<Answer>;
}

/** @param checkAnswers as for the endpoints of the table */
export function createMcpRoutes(getContext: () => Context | null, checkAnswers: boolean): McpRoutes {
  const context = () => {
    const there = getContext();
    if (there === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    return there;
  };
  const forget: Handler<typeof disconnectMcp> = async (on, request) => {
    return { type: "body", body: await disconnect(on, request) };
  };
  const approve: Handler<typeof approveMcpTools> = async (on, request) => {
    return { type: "body", body: await approveTools(on, request) };
  };
  const serveForget = createRoute(disconnectMcp, forget, checkAnswers);
  const serveApprove = createRoute(approveMcpTools, approve, checkAnswers);

  /** The one answer of the service that sets a cookie. */
  async function start(arrival: Arrival): Promise<Answer> {
    let cookie = "";
    const begin: Handler<typeof startMcpSignIn> = async (on, request) => {
      const begun = await startSignIn(on, request);
      const secure = on.publicUrl.startsWith("https:") ? "; Secure" : "";
      const { name, value } = begun.cookie;
      cookie = `${name}=${value}; Path=/mcp/oauth/callback; Max-Age=600; HttpOnly; SameSite=Lax${secure}`;
      return { type: "body", body: { authorization_url: begun.authorizationUrl } };
    };
    const answer = await createRoute(startMcpSignIn, begin, checkAnswers)(context(), arrival);
    return { ...answer, headers: { ...answer.headers, "set-cookie": cookie } };
  }

  return {
    calls: {
      [startMcpSignIn.path]: start,
      [disconnectMcp.path]: (arrival) => serveForget(context(), arrival),
      [approveMcpTools.path]: (arrival) => serveApprove(context(), arrival),
    },
    async callback(request) {
      const { searchParams } = new URL(request.url);
      const cookies = readCookies(request.headers.get("cookie") ?? "");
      const ending = await finishSignIn(context(), searchParams, cookies, request.signal);
      if (ending.type === "page") return emptyAnswer(303, { location: ending.path });
      return wordsPage(400, ending.title, ending.text, { path: ending.path, label: "Back to MCP servers" });
    },
    async icon(request, serverId) {
      const icon = await context().mcp.icon(serverId);
      if (icon === null) throw new ServiceError("not_found");
      const etag = `"${icon.etag}"`;
      const headers = { ...assetHeaders, "cache-control": "private, max-age=3600", etag };
      if (request.headers.get("if-none-match") === etag) return { status: 304, headers, body: null };
      return { status: 200, headers: { ...headers, "content-type": icon.mediaType }, body: icon.bytes };
    },
  };
}

function readCookies(header: string): Map<string, string> {
  const pairs = header.split(";").map((pair) => pair.trim().split("=", 2));
  return new Map(pairs.flatMap(([name, value]) => (name && value !== undefined ? [[name, value]] : [])));
}
