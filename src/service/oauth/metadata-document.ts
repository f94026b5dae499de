import * as z from "zod/mini";
import { isBlank } from "../../contract/limits.ts";
import { OutgoingError } from "../outgoing/outgoing.ts";
import { readAtMost } from "../outgoing/read-at-most.ts";
import { isOfDevice, isRedirect } from "./redirects.ts";

/** What a program says of itself at the address that is its client id. */
export interface MetadataDocument {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** The document cannot be had, or says what is not taken. The message is a sentence for the person who is asked. */
export class MetadataDocumentError extends Error {
  override readonly name = "MetadataDocumentError";
}

const longestId = 500;
const mostBytes = 64_000;
const timeoutMs = 5_000;

/** Whether a client id is the address of a document: `https:` with a path, written as browsers write it. */
export function isDocumentId(id: string): boolean {
  if (id.length > longestId || !id.startsWith("https://") || /[^!-~]|[\\#*]/.test(id) || !URL.canParse(id))
    return false;
  const url = new URL(id);
  return url.href === id && url.pathname !== "/" && url.username === "" && url.password === "";
}

const document = z.object({
  client_id: z.string(),
  client_name: z.optional(z.string()),
  redirect_uris: z.array(z.string()).check(z.minLength(1), z.maxLength(20)),
  token_endpoint_auth_method: z.optional(z.string()),
  client_secret: z.optional(z.unknown()),
});

/**
 * Reads the document of a program, once and from nowhere else: no redirects, 64 kB and five seconds at most. Addresses that a
 * program elsewhere could not have are refused: of this device, of an app, or of the document's own origin.
 * @param fetch guarded, so that nobody makes the service call what only it can reach
 * @throws MetadataDocumentError
 */
export async function readMetadataDocument(
  fetch: typeof globalThis.fetch,
  id: string,
): Promise<MetadataDocument> {
  const { host, origin } = new URL(id);
  const parsed = document.safeParse(await readJson(fetch, id, host));
  if (!parsed.success) throw new MetadataDocumentError(`What ${host} says of the program is not complete.`);
  const { client_id, client_name, redirect_uris, token_endpoint_auth_method, client_secret } = parsed.data;
  if (client_id !== id)
    throw new MetadataDocumentError(`What ${host} says is about another program: its client_id differs.`);
  if ((token_endpoint_auth_method ?? "none") !== "none" || client_secret !== undefined)
    throw new MetadataDocumentError(`The program at ${host} wants to use a secret, which it cannot have.`);
  const isOwn = (uri: string) =>
    isOfDevice(uri) || !uri.startsWith("https:") || new URL(uri).origin === origin;
  if (!redirect_uris.every((uri) => isRedirect(uri) && isOwn(uri)))
    throw new MetadataDocumentError(`The program at ${host} wants to be answered somewhere else.`);
  const name = (client_name ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return { name: isBlank(name) ? host : [...name].slice(0, 100).join(""), redirectUris: redirect_uris };
}

async function readJson(fetch: typeof globalThis.fetch, id: string, host: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(id, {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      await response.body?.cancel();
      throw new MetadataDocumentError(`${host} does not say anything of the program.`);
    }
    return JSON.parse(await readText(response, host));
  } catch (error) {
    if (error instanceof MetadataDocumentError) throw error;
    if (error instanceof SyntaxError) throw new MetadataDocumentError(`What ${host} says is no JSON.`);
    if (error instanceof OutgoingError || (error instanceof Error && error.name === "TimeoutError"))
      throw new MetadataDocumentError(`${host} could not be asked about the program.`);
    throw error;
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const bytes = await readAtMost(response, mostBytes);
  if (bytes === null) throw new MetadataDocumentError(`What ${host} says of the program is too long.`);
  return bytes.toString("utf8");
}
