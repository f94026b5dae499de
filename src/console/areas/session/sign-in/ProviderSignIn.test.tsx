import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signOutConsole } from "../../../../contract/console-session.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { ConsoleError } from "../../../api/errors.ts";

const service = mockServicePerTest();

/** The page's service has an identity provider with this name. */
function offer(signIn: string) {
  const meta = document.createElement("meta");
  meta.name = "wheelhouse-connections";
  meta.content = JSON.stringify([{ name: "Wheelhouse", path: "/api/v1", kind: "own", signIn }]);
  document.head.append(meta);
}

function refused(details: object, message = "None of your groups may use Wheelhouse.") {
  const rest = { param: null, requestId: "req_9", retryAfterMs: null };
  const failure = { kind: "http", status: 401, code: "sign_in_refused", message, details, ...rest } as const;
  return { kind: "link-refused", error: new ConsoleError(failure, "createConsoleSession") } as const;
}

beforeEach(() => localStorage.clear());
afterEach(() => document.querySelector("meta[name=wheelhouse-connections]")?.remove());

describe("the sign-in page", () => {
  it("leads to the identity provider where there is one, and back to the page that was asked for", async () => {
    offer("Acme <b>");
    renderConsole("/sign-in?next=%2Fruns%2Fnew%3Fflow%3Da", { as: null });
    const link = await screen.findByRole("link", { name: "Sign in with Acme <b>" });
    expect(link).toHaveAttribute("href", "/oidc/sign-in?next=%2Fruns%2Fnew%3Fflow%3Da");
  });

  it("offers none where there is none", async () => {
    renderConsole("/sign-in", { as: null });
    await screen.findByLabelText("Key");
    expect(screen.queryByRole("link", { name: /Sign in with/ })).toBeNull();
  });

  it("says which groups came, as text", async () => {
    offer("Acme");
    const groups = ["<img src=x onerror=alert(1)>", "visitors"];
    renderConsole("/sign-in", {
      as: null,
      started: refused({ reason: "no_group", groups, group_count: 30 }),
    });
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("You can’t use Wheelhouse yet");
    expect(alert).toHaveTextContent("None of your groups may use Wheelhouse.");
    for (const group of groups) expect(screen.getByText(group)).toBeInTheDocument();
    expect(alert).toHaveTextContent("and 28 more");
    expect(alert.querySelector("img")).toBeNull();
  });

  it.each([
    ["provider_unreachable", "Acme can’t be reached"],
    ["provider_skew", "The clocks of Acme and Wheelhouse differ"],
    ["provider_expired", "The answer from Acme has expired"],
    ["provider_invalid", "The answer from Acme can’t be trusted"],
    ["cancelled", "Sign-in cancelled"],
    ["a reason of tomorrow", "Sign-in failed"],
  ])("says what happened: %s", async (reason, title) => {
    offer("Acme");
    renderConsole("/sign-in", { as: null, started: refused({ reason }, "What to do.") });
    expect(await screen.findByText(title)).toBeInTheDocument();
    expect(screen.getByText("What to do.")).toBeInTheDocument();
  });
});

it("ends a session at the service when somebody signs out, and no key", async () => {
  const known = { named: ["console_sessions"], tried: {} };
  service().override(signOutConsole, { ended: true, provider_url: null });
  const { wheelhouse } = renderConsole("/runs", {
    as: { known, credential: { kind: "token", secret: "wh_token_a", userId: "user_ada", teamId: null } },
  });
  wheelhouse.session.signOut();
  await waitFor(() => expect(service().seen(signOutConsole)).toHaveLength(1));
  expect(service().seen(signOutConsole)[0]?.headers.get("authorization")).toBe("Bearer wh_token_a");
  await screen.findByRole("heading", { name: "Sign in" });
});
