import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Page } from "./Page.tsx";

/** An address that no page has: with the bar, because on phones the way to all pages is there. */
export function NotFound() {
  return (
    <Page title="No such page" heading="No such page">
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
    </Page>
  );
}
