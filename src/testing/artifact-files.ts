import { HttpResponse, http } from "msw";
import type { MockService } from "./msw.ts";

/** The place of the bytes of `anArtifact`: what a link answers, by its `signature`. */
export interface MockFiles {
  /** Every request for bytes so far, by signature. */
  readonly asked: string[];
}

/**
 * Lets the mock service serve bytes below `/api/v1/files/`. A signature that is not named has ended: 403.
 * @param contents by signature: a text or bytes, or a status
 */
export function serveFiles(
  service: MockService,
  contents: Readonly<Record<string, string | Uint8Array<ArrayBuffer> | number>>,
): MockFiles {
  const asked: string[] = [];
  service.server.use(
    http.get("http://localhost:3000/api/v1/files/:id", ({ request }) => {
      const signature = new URL(request.url).searchParams.get("signature") ?? "";
      asked.push(signature);
      const content = contents[signature] ?? 403;
      if (typeof content === "number") return new HttpResponse(null, { status: content });
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "");
      if (!range) return new HttpResponse(bytes, { headers: { "content-length": String(bytes.length) } });
      if (bytes.length === 0) {
        return new HttpResponse(null, { status: 416, headers: { "content-range": "bytes */0" } });
      }
      const part = bytes.slice(Number(range[1]), Number(range[2]) + 1);
      const headers = { "content-range": `bytes ${range[1]}-${range[2]}/${bytes.length}` };
      return new HttpResponse(part, { status: 206, headers });
    }),
  );
  return { asked };
}

/** An address of `serveFiles`. */
export const fileUrl = (signature: string): string =>
  `http://localhost:3000/api/v1/files/f?signature=${signature}`;
