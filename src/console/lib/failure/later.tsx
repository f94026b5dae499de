import type { ComponentProps } from "react";
import { later } from "../../ui/later.ts";
import { LazyPart } from "../LazyPart.tsx";
import type { Damage as DamageView } from "./Damage.tsx";
import type { Failure as FailureView } from "./Failure.tsx";
import type { Stale as StaleView } from "./Stale.tsx";

const loadFailure = () => import("./Failure.tsx");
const loadStale = () => import("./Stale.tsx");
const LoadedDamage = later(async () => ({ default: (await import("./Damage.tsx")).Damage }));
const LoadedFailure = later(async () => ({ default: (await loadFailure()).Failure }));
const LoadedStale = later(async () => ({ default: (await loadStale()).Stale }));

/** Fetches the words of failures before anything fails: when the network is gone it would be too late. */
export function prepareForFailure(): void {
  for (const load of [loadFailure, loadStale]) load().catch(() => undefined);
}

/** `Failure` for the first page, lists and routes: its words are not loaded until something has failed. */
export function LaterFailure(props: ComponentProps<typeof FailureView>) {
  return (
    <LazyPart
      fallback={
        <p role="status" className="p-6">
          {props.what} could not be loaded.{" "}
          {props.onRetry && (
            <button type="button" className="font-medium text-accent" onClick={props.onRetry}>
              Try again
            </button>
          )}
        </p>
      }
    >
      <LoadedFailure {...props} />
    </LazyPart>
  );
}

/** `Stale` for the first page. */
export function LaterStale({ query }: ComponentProps<typeof StaleView>) {
  if (query.error === null || query.readAt === null) return null;
  return (
    <LazyPart>
      <LoadedStale query={query} />
    </LazyPart>
  );
}

/** `Damage` for the first page. */
export function LaterDamage({ damage }: ComponentProps<typeof DamageView>) {
  if (damage.length === 0) return null;
  return (
    <LazyPart>
      <LoadedDamage damage={damage} />
    </LazyPart>
  );
}
