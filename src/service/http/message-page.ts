import { randomBytes } from "node:crypto";
import { ServiceError } from "../service-error.ts";
import type { Answer } from "./answer.ts";
import { assetHeaders } from "./security-headers.ts";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .5rem; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
a { color: inherit; }
`;

/**
 * A page of the service itself, for a browser that something else sent here and that the console cannot help: a heading, a
 * sentence and one way on. No script, and nothing is loaded.
 * @param link to a path of the console
 */
export function messagePage(
  status: number,
  title: string,
  text: string,
  link: { readonly path: string; readonly label: string },
): Answer {
  const nonce = randomBytes(16).toString("base64url");
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Wheelhouse</title>
<style nonce="${nonce}">${style}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
<p><a href="${escaped(link.path)}">${escaped(link.label)}</a></p>
</main>
</html>
`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return {
    status,
    headers: {
      ...assetHeaders,
      "content-security-policy": policy,
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
    },
    body,
  };
}

/**
 * What a browser sees that came back from a sign-in where too many wrong ones came from its network.
 * @throws whatever was thrown, where it is anything else
 */
export function tooManyPage(
  thrown: unknown,
  link: { readonly path: string; readonly label: string },
): Answer {
  if (!(thrown instanceof ServiceError) || thrown.code !== "too_many_requests") throw thrown;
  const { message = "", retryAfter = 10 } = thrown.facts;
  const page = messagePage(429, "Too many wrong sign-ins", message, link);
  return { ...page, headers: { ...page.headers, "retry-after": String(retryAfter) } };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
