import "@testing-library/jest-dom/vitest";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Providers } from "../console/components/frame/Providers.tsx";
import { PreferencesStore } from "../console/components/preferences/preferences.tsx";
import { makeRouter } from "../console/router.tsx";
import type { SignedIn } from "../console/session/signed-in.ts";
import type { Arrival } from "../console/session/wheelhouse.ts";
import { aSignIn, testWheelhouse } from "./test-wheelhouse.ts";

// A page has thousands of lines of markup: a failed test says what it looked for, not all of them.
// The first test that opens a lazy part waits for its code, which a busy machine takes a while to read.
configure({ asyncUtilTimeout: 5_000 });
configure({ getElementError: (message) => new Error(message?.split("\n\n")[0] ?? "not found") });
// The router asks for it after each change of page; jsdom only complains.
window.scrollTo = () => {};

interface Options {
  /** Null: nobody is signed in. */
  readonly as?: Partial<SignedIn> | null;
  readonly arrival?: Arrival;
}

/** Renders the whole console at an address, as a browser would, against the mock service of the test. */
export function renderConsole(address: string, { as = {}, arrival = { kind: "ordinary" } }: Options = {}) {
  const wheelhouse = testWheelhouse();
  if (as === null) wheelhouse.session.signOut();
  else wheelhouse.session.signIn(aSignIn(as));
  const router = makeRouter({ wheelhouse, arrival }, createMemoryHistory({ initialEntries: [address] }));
  const view = render(
    <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...view, wheelhouse, router, user: userEvent.setup() };
}
