import { readBytes } from "../../api/body-bytes.ts";
import { ConsoleError } from "../../api/errors.ts";
import type { Api } from "../../lib/api.tsx";
import { placeOf } from "../../lib/markdown/links.ts";
import type { Renew } from "./links.ts";

/** A file by its link, and how to get another link when that one has ended. */
export interface FileSource {
  readonly url: string | null;
  readonly renew: Renew;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Only these bytes, first and last; a place without ranges answers with all of them. */
  readonly range?: readonly [first: number, last: number];
  /** It will be framed, so the link has to show it (links.ts). */
  readonly use?: "any" | "show";
}

/** A fresh link leads to another place, which the page never asks. */
export class LiesElsewhere extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`The file lies at ${host}`);
    this.name = "LiesElsewhere";
    this.host = host;
  }
}

/** The name that errors of reading a file carry. */
const endpoint = "artifact bytes";

/**
 * Asks for the bytes of a file, without any credential and never from another place than this connection. A link that
 * has ended is renewed once; one that was just given and fails too is an error (C-37).
 * @returns the answer, and the address that worked
 * @throws ConsoleError `http` with the status of the place, `network`, or `contract` where no usable link is given
 * @throws LiesElsewhere
 */
export async function openFile(
  api: Api,
  source: FileSource,
  options: OpenOptions,
): Promise<{ response: Response; url: string }> {
  const first = placeOf(api, source.url);
  if (first.kind === "here") {
    const response = await ask(api, first.url, options);
    if (!hasEnded(response.status)) return { response: good(response), url: first.url };
    giveUp(response);
  }
  const next = placeOf(api, await source.renew(options.use, options.signal));
  if (next.kind === "elsewhere") throw new LiesElsewhere(next.host);
  if (next.kind === "nowhere")
    throw new ConsoleError({ kind: "contract", path: "url", requestId: null }, endpoint);
  return { response: good(await ask(api, next.url, options)), url: next.url };
}

/** What is left of a body that nobody wants is not waited for. */
export function giveUp(response: Response): void {
  void response.body?.cancel().catch(() => {});
}

const hasEnded = (status: number): boolean => status === 401 || status === 403 || status === 410;

async function ask(api: Api, url: string, { signal, range }: OpenOptions): Promise<Response> {
  try {
    return await api.fetch(url, {
      signal,
      ...(range && { headers: { range: `bytes=${range[0]}-${range[1]}` } }),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ConsoleError({ kind: "network" }, endpoint, error);
  }
}

/** 416 is what a place says of any range of an empty file. */
function good(response: Response): Response {
  if (response.ok || response.status === 416) return response;
  throw new ConsoleError(
    {
      kind: "http",
      status: response.status,
      code: null,
      message: null,
      param: null,
      details: null,
      requestId: response.headers.get("x-request-id"),
      retryAfterMs: null,
    },
    endpoint,
  );
}

/** How big the whole file is, as the answer to a range or to the whole says it; null where it does not. */
export function wholeSize(response: Response): number | null {
  const total = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
  if (total !== undefined) return Number(total);
  const length = response.headers.get("content-length");
  // What was compressed on its way has another length than the file.
  return response.status === 200 && length !== null && !response.headers.has("content-encoding")
    ? Number(length)
    : null;
}

/** Told while a file is read; `total` is null where it is not known. */
export type OnProgress = (read: number, total: number | null) => void;

export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
  /** The address that worked. */
  readonly url: string;
  /** A browser that is led there saves it and shows nothing. */
  readonly isSaved: boolean;
}

/**
 * All bytes of a file, up to a limit.
 * @param most the reading stops there: `isWhole` is false
 */
export async function readFile(
  api: Api,
  source: FileSource,
  { most, onProgress, ...options }: OpenOptions & { most: number; onProgress?: OnProgress },
): Promise<FileBytes> {
  const { response, url } = await openFile(api, source, options);
  const { signal } = options;
  const isSaved = /^\s*attachment/i.test(response.headers.get("content-disposition") ?? "");
  const total = wholeSize(response);
  // 416: the file has no byte of the range that was asked for.
  const body = response.status === 416 ? null : response.body;
  try {
    const read = await readBytes({ body }, most, (size) => onProgress?.(size, total));
    return { ...read, url, isSaved };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ConsoleError({ kind: "network" }, endpoint, error);
  }
}

/** Whether bytes can hardly be text: a zero byte near the start, without a mark that they are UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isWide && bytes.subarray(0, 4_096).includes(0);
}

const turning = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;

/** A text in which characters that turn the reading direction are marks, so that it reads as it is stored (C-08). */
export const shownInvisible = (text: string): string =>
  text.replaceAll(
    turning,
    (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
