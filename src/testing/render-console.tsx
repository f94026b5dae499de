import "@testing-library/jest-dom/vitest";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { WheelhouseOptions } from "../console/app/create-wheelhouse.ts";
import { Providers } from "../console/app/frame/Providers.tsx";
import { makeRouter } from "../console/app/router.tsx";
import type { SignedIn } from "../console/areas/session/signed-in.ts";
import type { StartResult } from "../console/areas/session/wheelhouse.tsx";
import { PreferencesStore } from "../console/lib/preferences/preferences.tsx";
import { aPerson } from "./person.ts";
import { aSignIn, testWheelhouse } from "./test-wheelhouse.ts";

// The router asks for it after each change of page; jsdom only complains.
window.scrollTo = () => {};

interface Options {
  /** Null: nobody is signed in. */
  readonly as?: Partial<SignedIn> | null;
  readonly started?: StartResult;
  /** What the browser has: a store with something in it, other tabs. */
  readonly browser?: Partial<WheelhouseOptions>;
}

/** Renders the whole console at an address, as a browser would, against the mock service of the test. */
export function renderConsole(
  address: string,
  { as = {}, started = { kind: "ordinary" }, browser = {} }: Options = {},
) {
  const wheelhouse = testWheelhouse(browser);
  if (as === null) wheelhouse.session.signOut();
  else wheelhouse.session.signIn(aSignIn(as));
  const router = makeRouter({ wheelhouse, started }, createMemoryHistory({ initialEntries: [address] }));
  const view = render(
    <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...view, wheelhouse, router, user: aPerson() };
}
