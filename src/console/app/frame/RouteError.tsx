import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { LaterFailure } from "../../lib/failure/later.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { Button } from "../../ui/Button.tsx";

/**
 * What stands in the place of a page that cannot be shown. Trying again asks anew, both the queries and the route, and
 * so does a network that is back.
 */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = useCallback(() => {
    queries.reset();
    reset();
    void router.invalidate();
  }, [queries, reset, router]);
  useEffect(() => {
    queries.reset();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [queries, retry]);
  return (
    <Page title="Error" heading="This page could not be shown">
      <LaterFailure
        error={error}
        what="This page"
        onRetry={retry}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            Reload page
          </Button>
        }
      />
    </Page>
  );
}
