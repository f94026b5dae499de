import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { ReloadPrompt } from "../frame/ReloadPrompt.tsx";
import { RouteAnnouncer } from "../frame/RouteAnnouncer.tsx";
import type { RouterContext } from "../router.tsx";

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
      <ReloadPrompt />
    </>
  );
}
