import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { peerQueue } from "./peer-answers.ts";
import type { Marks } from "./probe.ts";
import { type Served, serveFolder } from "./served.ts";

/**
 * A real console, as its users get it: bull-board (MIT), the console of a queue of jobs. React, a router and TanStack Query
 * like ours, split by route, with lists of jobs and a page for each job with its log. Its package is the built console, so
 * nothing of it is built or kept here.
 */
const packed = "@bull-board/ui@9.10.2";
const sha512 = "7VHpIe1XIdxlye0deOmMNbmHGVdkEy9nC/gZZitx9uZA3lLE21i92MPGHLFEvMm0Y33fAswPfvzTc3m4pQFg/Q==";

/** Its pages by what they are to us. */
export const peerPages: Readonly<
  Record<"list" | "object", { readonly path: string; readonly marks: Marks }>
> = {
  list: {
    path: `/queue/${peerQueue}?status=completed`,
    marks: { frame: { selector: "aside a, nav a" }, ready: { selector: "main", text: "Count the berths" } },
  },
  object: {
    path: `/queue/${peerQueue}/24?status=completed`,
    marks: { frame: { selector: "aside a, nav a" }, ready: { selector: "main", text: "Count the berths" } },
  },
};

export const peerName = packed;

/** The peer's console on a server like the floor's. @throws Error when the package cannot be had, or is another one */
export async function servePeer(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-peer-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync("npm", ["pack", packed, "--silent", "--ignore-scripts", "--pack-destination", folder], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const archive = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
    const sum = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (sum !== sha512) throw new Error(`${packed} is not the package that was chosen`);
    execFileSync("tar", ["xzf", archive, "-C", folder]);
    const built = join(folder, "package/dist");
    writeFileSync(join(built, "index.html"), pageOf(readFileSync(join(built, "index.ejs"), "utf8")));
    compressAll(built);
    const served = await serveFolder({ SERVE_FOLDER: built, SERVE_API: "" });
    return {
      url: served.url,
      stop: () => {
        served.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Fills its template in as its server does. Its letters come from another site: without them it is only faster. */
function pageOf(template: string): string {
  const config = {
    boardTitle: "Peer",
    locale: { lng: "en-US" },
    miscLinks: [],
    environment: {},
    pollingInterval: {},
  };
  const values: Record<string, string> = {
    basePath: "/",
    title: "Peer",
    uiConfig: JSON.stringify(config),
    favIconDefault: "/static/images/logo.svg",
    favIconAlternative: "/static/favicon-32x32.png",
  };
  return template
    .replace(/<link href="https:[^>]*>/, "")
    .replaceAll(/<%[=-]\s*(\w+)\s*%>/g, (_, name: string) => values[name] ?? "");
}

/** As small as our own files are sent. */
function compressAll(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css|svg|json)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
