import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useTitle } from "./Page.tsx";

/** An address that no page has. */
export function NotFound() {
  useTitle("No such page");
  return (
    <main id="content" tabIndex={-1} className="flex-1 outline-none">
      <h1 className="sr-only">No such page</h1>
      <EmptyState
        title="There is no such page"
        actions={
          <Link to="/runs" className={buttonClass("plain")}>
            All runs
          </Link>
        }
        foot={<code className="break-all">{location.pathname}</code>}
      >
        The address may be mistyped, or from another version of the console.
      </EmptyState>
    </main>
  );
}
