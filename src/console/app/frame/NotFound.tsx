import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";

/** An address that no page has: with the bar, because on phones the way to all pages is there. */
export function NotFound() {
  return (
    <Page title="Page not found" heading="Page not found">
      <EmptyState
        title="There is no page at this address"
        actions={<LinkButton to="/">Go to overview</LinkButton>}
        foot={<code className="break-all">{location.pathname}</code>}
      >
        The address may be mistyped, or from another version of the console.
      </EmptyState>
    </Page>
  );
}
