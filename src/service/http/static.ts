import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { isFresh } from "../areas/interactions.ts";
import type { Upstream } from "../config.ts";
import { ServiceError } from "../service-error.ts";
import type { Answer } from "./answer.ts";
import { preferredEncoding } from "./compress.ts";
import { type FirstAt, readConsoleRoutes } from "./console-routes.ts";
import { assetHeaders, pageHeaders, workerHeaders } from "./security-headers.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

interface OwnState {
  /** What people call the identity provider that they may sign in with; absent: there is none. */
  readonly signIn?: string | undefined;
  /** True: it waits to be let go on, and runs nothing. */
  readonly paused?: true | undefined;
}

/**
 * The built console. The page goes out with a fresh nonce, the connections that this process offers, and the names of the
 * scripts and the first reads of the asked route; files with a hash in their name are kept for ever; every other path that a browser navigates to is the page, so that an address
 * of the app can be opened and reloaded; below `/shared/` it is the page for people without an account.
 * @param extensions what this service has beyond the core, so that no page has to ask before it reads
 * @param now what holds of this service at the time of an answer
 * @param directory `dist/console`; its files are listed once at the first request, so no path from outside is ever opened
 */
export function createStaticFiles(
  directory: string,
  upstreams: readonly Upstream[],
  extensions: readonly string[],
  now: () => OwnState,
) {
  let files: ReadonlySet<string> | null = null;
  const read = createReader(directory);
  const pages = new Map<string, Page>();
  let firstAt: FirstAt | null = null;
  return async (request: Request): Promise<Answer> => {
    if (request.method !== "GET" && request.method !== "HEAD") throw new ServiceError("method_not_allowed");
    files ??= listFiles(directory);
    const path = pathOf(request.url);
    if (!path.endsWith(".html") && files.has(path)) return await asset(path, files, read, request);
    if (!isNavigation(path, request)) throw new ServiceError("not_found");
    // What a shared link opens is a page of its own, without the console.
    const name = path.startsWith("/shared/") ? "shared.html" : "index.html";
    const page = pages.get(name) ?? (await readPage(directory, name));
    pages.set(name, page);
    firstAt ??= await readConsoleRoutes(directory);
    const { scripts, reads } = firstAt(path);
    const nonce = randomBytes(16).toString("base64url");
    return {
      status: 200,
      headers: { ...pageHeaders(nonce, page.scripts), "content-type": "text/html; charset=utf-8" },
      body: page.html
        .replace("<!-- __ROUTE_SCRIPTS__ -->", () => scripts.map(preload).join(""))
        .replaceAll("__NONCE__", nonce)
        .replace("__CONNECTIONS__", () => inAttribute(offered(upstreams, extensions, now())))
        .replace("__READS__", () => inAttribute(reads)),
    };
  };
}

/** Fetches a script with the first ones, instead of when the router asks for it. */
const preload = (script: string): string =>
  `<link rel="modulepreload" crossorigin href="${script}" nonce="__NONCE__">`;

/** The page itself, or a route of the app: something that a browser opens as a document and that looks like no file. */
function isNavigation(path: string, request: Request): boolean {
  if (path === "/" || path === "/index.html") return true;
  const wantsPage = (request.headers.get("accept") ?? "*/*")
    .split(",")
    .some((type) => /^\s*(text\/html|\*\/\*)/.test(type));
  const mode = request.headers.get("sec-fetch-mode");
  return (
    wantsPage &&
    (mode === null || mode === "navigate") &&
    extname(path) === "" &&
    !path.startsWith("/assets/")
  );
}

/** One file as it goes out. */
interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Without its quotes. */
  readonly tag: string;
}
type Reader = (path: string) => Promise<StoredFile>;

/** Reads each file once: the whole build is a few megabytes. */
function createReader(directory: string): Reader {
  const read = new Map<string, Promise<StoredFile>>();
  return (path) => {
    // The caller's set holds exactly what the build wrote, so this path never leaves the directory.
    const file = read.get(path) ?? readFile(join(directory, path)).then(stored);
    read.set(path, file);
    file.catch(() => read.delete(path));
    return file;
  };
}

function stored(content: Buffer): StoredFile {
  const tag = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return { bytes: new Uint8Array(content), tag };
}

async function asset(
  path: string,
  files: ReadonlySet<string>,
  read: Reader,
  request: Request,
): Promise<Answer> {
  const type = mediaTypes[extname(path)] ?? "application/octet-stream";
  const wanted = preferredEncoding(request.headers.get("accept-encoding"));
  const suffix = wanted === "br" ? ".br" : wanted === "gzip" ? ".gz" : "";
  const compressed = suffix !== "" && files.has(path + suffix);
  const { bytes, tag } = await read(compressed ? path + suffix : path);
  const isHashed = path.startsWith("/assets/");
  const headers: Record<string, string> = {
    ...(type.startsWith("text/javascript") ? workerHeaders : assetHeaders),
    "content-type": type,
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "public, max-age=0, must-revalidate",
    etag: `"${tag}"`,
    vary: "accept-encoding",
  };
  if (isFresh(request.headers.get("if-none-match"), tag)) return { status: 304, headers, body: null };
  if (compressed) headers["content-encoding"] = wanted ?? "identity";
  return { status: 200, headers, body: bytes };
}

function listFiles(directory: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/")}`);
    return new Set(names);
  } catch {
    return new Set();
  }
}

interface Page {
  readonly html: string;
  /** Hashes of the scripts that the build wrote into it, as the policy names them. Nothing else is ever put into a script. */
  readonly scripts: readonly string[];
}

async function readPage(directory: string, name: string): Promise<Page> {
  try {
    const html = await readFile(join(directory, name), "utf8");
    const scripts = [...html.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)].map(
      ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
    );
    return { html, scripts };
  } catch (cause) {
    throw new ServiceError("not_found", { message: "The console is not built: run npm run build.", cause });
  }
}

/** What sign-in offers. */
const offered = (upstreams: readonly Upstream[], extensions: readonly string[], now: OwnState) => [
  { name: "Wheelhouse", path: "/api/v1", kind: "own", extensions, ...now },
  ...upstreams.map(({ name }) => ({ name, path: `/upstream/${name}/api/v1`, kind: "upstream" })),
];

/** JSON inside an attribute. */
function inAttribute(value: unknown): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    '"': "&quot;",
    "'": "&#39;",
    "<": "&lt;",
    ">": "&gt;",
  };
  return JSON.stringify(value).replaceAll(/[&"'<>]/g, (character) => entities[character] ?? "");
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    throw new ServiceError("not_found");
  }
}
