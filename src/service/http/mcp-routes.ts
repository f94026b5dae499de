import { isFresh } from "../areas/interactions.ts";
import { finishSignIn } from "../areas/mcp-connections.ts";
import type { Context } from "../context.ts";
import type { Sender } from "../guessing/guesses.ts";
import { clientMetadataDocument } from "../mcp/client-metadata.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, emptyAnswer } from "./answer.ts";
import { readCookies } from "./cookies.ts";
import { messagePage, tooManyPage } from "./message-page.ts";
import { assetHeaders } from "./security-headers.ts";

/** What the console's page of MCP servers needs of HTTP beside the endpoints of the table: what a browser opens itself. */
export interface McpRoutes {
  /** Where a server's sign-in sends the browser. */
  callback(request: Request, from: Sender): Promise<Answer>;
  /** Who this service is to the sign-ins of MCP servers, which read it without a credential; 404 where it is not https. */
  clientMetadata(): Answer;
  /** The picture of a server, for anybody: an `img` element carries no credential, and the operator chose the picture. */
  icon(request: Request, serverId: string): Promise<Answer>;
}

/** @param getContext null: the service is starting, which is answered with `unavailable` */
export function createMcpRoutes(getContext: () => Context | null): McpRoutes {
  const context = () => {
    const there = getContext();
    if (there === null) throw new ServiceError("unavailable", { message: "The service is starting." });
    return there;
  };

  return {
    async callback(request, from) {
      const { searchParams } = new URL(request.url);
      const cookies = readCookies(request.headers.get("cookie") ?? "");
      const label = "Back to MCP servers";
      try {
        const ending = await finishSignIn(context(), searchParams, cookies, from, request.signal);
        if (ending.type === "page") return emptyAnswer(303, { location: ending.path });
        return messagePage(400, ending.title, ending.text, { path: ending.path, label });
      } catch (error) {
        return tooManyPage(error, { path: "/mcp", label });
      }
    },
    clientMetadata() {
      const document = clientMetadataDocument(context().publicUrl);
      if (document === null) throw new ServiceError("not_found");
      const headers = {
        ...assetHeaders,
        "cache-control": "public, max-age=3600",
        "content-type": "application/json",
      };
      return { status: 200, headers, body: JSON.stringify(document) };
    },
    async icon(request, serverId) {
      const icon = await context().mcp.icon(serverId);
      if (icon === null) throw new ServiceError("not_found");
      const tag = { etag: `"${icon.etag}"` };
      const headers = { ...assetHeaders, "cache-control": "private, max-age=3600", ...tag };
      if (isFresh(request.headers.get("if-none-match"), icon.etag))
        return { status: 304, headers, body: null };
      return { status: 200, headers: { ...headers, "content-type": icon.mediaType }, body: icon.bytes };
    },
  };
}
