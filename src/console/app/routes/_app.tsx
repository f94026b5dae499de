import { createFileRoute, redirect } from "@tanstack/react-router";
import { SignedInFrame } from "../frame/SignedInFrame.tsx";

/** All pages inside the frame; whoever is not signed in goes to the sign-in page and comes back. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context, location }) => {
    if ("as" in context.wheelhouse.session.state.get()) return;
    throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
  },
  component: SignedInFrame,
  // Nothing stands in for the frame: it waits for nothing.
  pendingComponent: () => null,
  pendingMs: Number.POSITIVE_INFINITY,
  // Not split off: every first page needs it, and another request costs more than its bytes.
  codeSplitGroupings: [],
});
