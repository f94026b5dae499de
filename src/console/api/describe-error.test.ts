import { describe, expect, it } from "vitest";
import { describeError } from "./describe-error.ts";
import { ConsoleError, type Failure, isMissingEndpoint } from "./errors.ts";

const http = (status: number, code: string | null = null, message: string | null = null): Failure => ({
  kind: "http",
  status,
  code,
  message,
  param: null,
  details: null,
  requestId: "req_1",
  retryAfterMs: null,
});
const impostor = (kind: "html" | "empty" | "cut-off" | "redirect" | "not-json"): Failure => ({
  kind: "not-the-service",
  impostor: kind,
  status: 200,
  requestId: null,
  retryAfterMs: null,
});
const failures: Failure[] = [
  { kind: "network" },
  { kind: "timeout", afterMs: 30_000 },
  { kind: "contract", path: "runs[0].state", requestId: null },
  ...(["html", "empty", "cut-off", "redirect", "not-json"] as const).map(impostor),
  ...[400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 507].map((status) => http(status)),
];

describe("an error in words", () => {
  it("is whole sentences for every kind, without the words of programs", () => {
    for (const failure of failures) {
      const { what, means, next } = describeError(new ConsoleError(failure, "getRun"));
      for (const text of [what, means]) expect(text, JSON.stringify(failure)).toMatch(/^[A-Z].*\.$/);
      expect(`${what} ${means} ${next}`).not.toMatch(/undefined|null|NaN|fetch|JSON|exception/);
    }
  });

  it("says that a part of the console is missing, in the words of each browser", () => {
    for (const message of [
      "Failed to fetch dynamically imported module: https://console.example/assets/runs.js",
      "error loading dynamically imported module: https://console.example/assets/runs.js",
      "Importing a module script failed.",
    ])
      expect(describeError(new TypeError(message)).what).toBe("Part of the console could not be loaded.");
    expect(describeError(new TypeError("x is undefined")).what).toBe("Something went wrong on this page.");
  });

  it("gives the service's own sentence first", () => {
    const error = new ConsoleError(http(409, "agent_version_conflict", "Version 3 is newer."), "updateAgent");
    expect(describeError(error).what).toBe("Version 3 is newer.");
  });

  it("ends what the service said without a full stop, so that the next sentence does not run into it", () => {
    for (const [said, shown] of [
      ["Internal error", "Internal error."],
      ["No agent “Clerk”", "No agent “Clerk”."],
      ["Is it on?", "Is it on?"],
    ])
      expect(describeError(new ConsoleError(http(500, null, said), "listRuns")).what).toBe(shown);
  });

  it("says what a plan below Pro and a team key at personal files mean", () => {
    const plan = describeError(new ConsoleError(http(403, "plan_upgrade_required"), "listAgents"));
    expect(plan.next).toContain("access token");
    const files = describeError(new ConsoleError(http(403, "personal_credential_required"), "downloadFiles"));
    expect(files.next).toContain("personal key");
  });

  it.each(["html", "empty", "cut-off", "redirect", "not-json"] as const)(
    "does not blame what lies in between for %s that carries the service's request id",
    (kind) => {
      const said = describeError(
        new ConsoleError({ ...impostor(kind), requestId: "req_1" } as Failure, "getRun"),
      );
      expect(said.means).toMatch(/^(It came from the service|The service started)/);
      expect(`${said.means} ${said.next}`).not.toMatch(/proxy|in between|network/);
      expect(said.next).toContain("include the request ID");
    },
  );

  it.each(["html", "empty", "cut-off", "redirect", "not-json"] as const)(
    "calls nobody guilty of %s that nothing tells whose it is",
    (kind) => {
      const { means } = describeError(new ConsoleError(impostor(kind), "getRun"));
      expect(means).not.toMatch(/It came from the service|between this page and the service answered/);
    },
  );

  it("does not blame the service for a fault of the page", () => {
    expect(describeError(new TypeError("x is not a function")).what).toContain("page");
  });
});

describe("an endpoint that a service does not have", () => {
  const plain = { path: "/teams" };
  const ofObject = { path: "/sessions/{session_id}" };
  it.each([
    [http(405), plain, true],
    [http(501), ofObject, true],
    [http(404), plain, true],
    [http(404, "not_found"), plain, true],
    [http(404), ofObject, true],
    [http(404, "not_found"), ofObject, false],
    [http(403), plain, false],
    [{ ...impostor("html"), status: 404 } as Failure, ofObject, true],
  ])("is told from an object that is not there: %j at %j", (failure, endpoint, expected) => {
    expect(isMissingEndpoint(new ConsoleError(failure, "x"), endpoint)).toBe(expected);
  });
});
