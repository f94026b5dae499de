import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { LaterFailure } from "../failure/later.tsx";
import { useTitle } from "./Page.tsx";

/**
 * What stands in the place of a page that cannot be shown. Trying again asks anew, both the queries and the route, and
 * so does a network that is back.
 */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  useTitle("Not shown");
  useEffect(() => queries.reset(), [queries]);
  const retry = useCallback(() => {
    queries.reset();
    reset();
    void router.invalidate();
  }, [queries, reset, router]);
  useEffect(() => {
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [retry]);
  return (
    <main id="content" tabIndex={-1} className="flex-1 overflow-y-auto outline-none">
      <h1 className="sr-only">This page cannot be shown</h1>
      <LaterFailure
        error={error}
        what="This page"
        onRetry={retry}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            Reload the console
          </Button>
        }
      />
    </main>
  );
}
