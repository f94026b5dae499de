import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./floor.css";
import { read } from "./read.ts";

/**
 * The least that a console of this stack is: a frame, pages that are loaded with their routes, and a loader that starts the
 * one read of a page while its code is on the way. What the console takes longer than this, its own code takes.
 */
const queries = new QueryClient();

const base = createRootRoute({ component: Frame });
const validateSearch = (search: Record<string, unknown>) => ({ of: String(search.of) });
const loaderDeps = ({ search }: { search: { of: string } }) => search;
const loader = ({ deps }: { deps: { of: string } }) => void queries.prefetchQuery(read(deps.of));
const list = createRoute({
  ...{ getParentRoute: () => base, path: "/list", validateSearch, loaderDeps, loader },
  component: lazyRouteComponent(() => import("./List.tsx"), "List"),
});
const object = createRoute({
  ...{ getParentRoute: () => base, path: "/object", validateSearch, loaderDeps, loader },
  component: lazyRouteComponent(() => import("./Facts.tsx"), "Facts"),
});
const signIn = createRoute({
  ...{ getParentRoute: () => base, path: "/sign-in" },
  component: lazyRouteComponent(() => import("./SignIn.tsx"), "SignIn"),
});

// The frame does not wait for its page.
const router = createRouter({
  routeTree: base.addChildren([list, object, signIn]),
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPendingComponent: () => <p className="p-6 text-sm text-gray-500">Loading</p>,
});

function Frame() {
  return (
    <div className="flex min-h-screen text-sm text-gray-900">
      <nav aria-label="Pages" className="w-56 border-r border-gray-200 bg-gray-50 p-4">
        {["Overview", "Runs", "Agents", "Artifacts", "Evaluations", "Knowledge", "Servers"].map((name) => (
          <a key={name} href={`/${name.toLowerCase()}`} className="block rounded px-2 py-1 hover:bg-gray-200">
            {name}
          </a>
        ))}
      </nav>
      <main className="min-w-0 flex-1 p-6">
        <Outlet />
      </main>
    </div>
  );
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
