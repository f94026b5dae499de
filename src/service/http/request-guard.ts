import { isIP } from "node:net";
import type { Config } from "../config.ts";
import { ServiceError } from "../service-error.ts";

/** What is read of a request's headers. */
type HeaderReader = (name: string) => string | null;

/** Refuses what a page of somebody else makes a browser send: requests for other hosts, and writes across origins. */
export interface RequestGuard {
  /** Whether the service answers for this `Host`; one without it is no browser's. Costs a look-up when it came before. */
  isOwnHost(host: string | null): boolean;
  /** @throws ServiceError `misdirected_request` (421) or `cross_site_request` (403) */
  check(method: string, header: HeaderReader): void;
}

/** Name or address, and port: `wheelhouse.example.com:7700`, `[::1]:7700`. */
const hostForm = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/;
const readOnly = new Set(["GET", "HEAD", "OPTIONS"]);
/** How many spellings of own hosts are remembered: there are as many as there are names, ports and cases. */
const remembered = 100;

/**
 * Its own hosts: names of localhost and loopback addresses, the address that it listens on (any address where it listens
 * on all: a name is what rebinding needs), the host of `--public-url` and those of `--allowed-host`.
 */
export function createRequestGuard(
  config: Pick<Config, "host" | "publicUrl" | "allowedHosts">,
): RequestGuard {
  const publicHost = config.publicUrl === null ? null : new URL(config.publicUrl).host;
  const named = [config.host, ...config.allowedHosts, ...(publicHost === null ? [] : [publicHost])];
  const names = new Set(named.map((name) => nameOf(name.toLowerCase()) ?? name.toLowerCase()));
  const everyAddress = isUnspecified(config.host);
  const known = new Set<string>();

  const isOwn = (header: string): boolean => {
    const name = nameOf(header.toLowerCase());
    if (name === null) return false;
    if (names.has(name) || isLoopback(name)) return true;
    return everyAddress && isIP(name) !== 0;
  };

  const isOwnHost = (host: string | null): boolean => {
    if (host === null || known.has(host)) return true;
    const own = isOwn(host);
    if (own && known.size < remembered) known.add(host);
    return own;
  };

  /** As browsers say it since 2023, but to plain `http:` addresses of other machines; there, and before, by the origin. */
  const isFromElsewhere = (header: HeaderReader): boolean => {
    const site = header("sec-fetch-site");
    if (site !== null) return site !== "same-origin" && site !== "none";
    const origin = header("origin");
    if (origin === null) return false;
    const from = URL.canParse(origin) ? new URL(origin).host : "";
    return from === "" || (from !== header("host")?.toLowerCase() && from !== publicHost);
  };

  return {
    isOwnHost,
    check(method, header) {
      const host = header("host");
      if (!isOwnHost(host)) throw misdirected(host ?? "");
      if (!readOnly.has(method) && isFromElsewhere(header)) throw new ServiceError("cross_site_request");
    },
  };
}

/** Without port, brackets and the dot of a full name; null where it is no host. */
function nameOf(host: string): string | null {
  const [, six, name] = hostForm.exec(host) ?? (isIP(host) === 6 ? [host, host] : []);
  if (six !== undefined) return isIP(six) === 6 ? six : null;
  return name?.replace(/\.$/, "") || null;
}

function isLoopback(name: string): boolean {
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  return isIP(name) === 4 && name.startsWith("127.");
}

const isUnspecified = (host: string) => /^(?:0\.0\.0\.0|::|0:0:0:0:0:0:0:0)$/.test(host);

function misdirected(host: string): ServiceError {
  const name = nameOf(host.toLowerCase());
  const shown = name === null || name.length > 253 ? null : name;
  return new ServiceError("misdirected_request", {
    message:
      shown === null
        ? "The Host of this request is none that this service answers for."
        : `This service does not answer for the host ${shown}. If it is one of its own names, start it with --allowed-host ${shown}, or name it in WHEELHOUSE_ALLOWED_HOSTS.`,
  });
}
