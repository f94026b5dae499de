import { createFileRoute, redirect } from "@tanstack/react-router";
import { SignInPage } from "../../areas/session/sign-in/SignInPage.tsx";

export const Route = createFileRoute("/sign-in")({
  validateSearch: (raw: Record<string, unknown>): { next?: string | undefined } => {
    const { next } = raw;
    // Only a path of this console: never another origin. Undefined, not absent: else the raw value would stand.
    return { next: typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : undefined };
  },
  beforeLoad: ({ context, search }) => {
    if ("as" in context.wheelhouse.session.state.get()) throw redirect({ href: search.next ?? "/" });
  },
  component: Page,
  // It has no frame for anything to stand in.
  pendingComponent: () => null,
  pendingMs: Number.POSITIVE_INFINITY,
});

function Page() {
  const { next } = Route.useSearch();
  const { started } = Route.useRouteContext();
  return <SignInPage next={next ?? "/"} started={started} />;
}
