import type { Guard } from "./guard.ts";

/** What comes in by HTTP. */
export const httpGuards: readonly Guard[] = [
  {
    id: "other-hosts-are-refused",
    codes: ["S-82"],
    holds: "A request for another host is refused.",
    file: "src/service/http/request-guard.ts",
    text: 'if (!isOwnHost(host)) throw misdirected(host ?? "");',
    off: "",
    tests: ["src/service/http/request-guard.test.ts"],
  },
  {
    id: "polls-of-other-hosts",
    codes: ["S-82"],
    holds: "A poll for another host is refused as well.",
    file: "src/service/http/plain.ts",
    text: "if (!parts.guard.isOwnHost(headers.host ?? null)) return false;",
    off: "",
    tests: ["src/service/http/request-guard.test.ts"],
  },
  {
    id: "names-are-no-addresses",
    codes: ["S-82"],
    holds: "Where it listens on all addresses, a name is not its own.",
    file: "src/service/http/request-guard.ts",
    text: "return everyAddress && isIP(name) !== 0;",
    off: "return everyAddress;",
    tests: ["src/service/http/request-guard.test.ts"],
  },
  {
    id: "writes-of-other-pages",
    codes: ["S-83"],
    holds: "A write that a page of another origin sends is refused.",
    file: "src/service/http/request-guard.ts",
    text: 'if (!readOnly.has(method) && isFromElsewhere(header)) throw new ServiceError("cross_site_request");',
    off: "",
    tests: ["src/service/http/request-guard.test.ts"],
  },
  {
    id: "same-site-is-elsewhere",
    codes: ["S-83"],
    holds: "Another origin of the same site is another origin.",
    file: "src/service/http/request-guard.ts",
    text: 'return site !== "same-origin" && site !== "none";',
    off: 'return site === "cross-site";',
    tests: ["src/service/http/request-guard.test.ts"],
  },
  {
    id: "old-browsers-by-origin",
    codes: ["S-83"],
    holds: "Without sec-fetch-site the origin decides.",
    file: "src/service/http/request-guard.ts",
    text: 'return from === "" || (from !== header("host")?.toLowerCase() && from !== publicHost);',
    off: "return false;",
    tests: ["src/service/http/request-guard.test.ts"],
  },
];
