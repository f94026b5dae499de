import { createRouter, lazyRouteComponent, type RouterHistory, useLocation } from "@tanstack/react-router";
import type { StartResult, Wheelhouse } from "../areas/session/wheelhouse.tsx";
import { Breadcrumbs, TopBar } from "../ui/PageFrame.tsx";
import { SkeletonRows } from "../ui/SkeletonRows.tsx";
import { nav } from "./frame/nav.tsx";
import { RouteError } from "./frame/RouteError.tsx";
import { routeTree } from "./routeTree.gen.ts";

/** What routes get: everything of this page load, and how it began. */
export interface RouterContext {
  readonly wheelhouse: Wheelhouse;
  readonly started: StartResult;
}

/**
 * Makes the router of one page load. Query owns freshness, so the router keeps nothing by itself.
 * @param history another one than the browser's, for tests
 */
export function makeRouter(context: RouterContext, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context,
    ...(history && { history }),
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    // The frame stands at once, whatever is still on the way into it.
    defaultPendingComponent: PagePending,
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: lazyRouteComponent(() => import("./frame/NotFound.tsx"), "NotFound"),
    scrollRestoration: false,
  });
  // It listens itself only once it is drawn: back and forward before that would change the address alone.
  router.history.subscribe(({ action }) => {
    if (router.history.subscribers.size === 1) void router.load({ action });
  });
  return router;
}

/** What stands in the frame while the code of a page is on the way: no page yet, so no `main`. */
function PagePending() {
  const path = useLocation({ select: (location) => location.pathname });
  const heading = nav.find(({ to }) => to !== "/" && path.startsWith(to))?.label ?? "Overview";
  return (
    <>
      <TopBar crumbs={<Breadcrumbs current={heading} />} />
      <SkeletonRows label="Loading the page" rows={8} columns={["20px", "2fr", "1fr", "1fr", "60px"]} />
    </>
  );
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
