import { Outlet, useNavigate } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { useSessionState, useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import type { Api } from "../../lib/api.tsx";
import { ApiProvider } from "../../lib/api.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { useStore } from "../../lib/useStore.ts";
import { AppFrame } from "../../ui/AppFrame.tsx";
import { later } from "../../ui/later.ts";
import { ToastHost } from "../../ui/Toast.tsx";
import { AppSidebar } from "./AppSidebar.tsx";
import { Overlays } from "./Overlays.tsx";

const OutboxSenders = later(() => import("../../areas/conversations/OutboxSenders.tsx"));
const FrameNotices = later(() => import("./FrameNotices.tsx"));
const SignInAgain = later(() => import("./SignInAgain.tsx"));

/** What stands around every page: sidebar, palette, keys; and over it, where the key is refused, the way back in. */
export function SignedInFrame() {
  const { api: store } = useWheelhouse();
  const api = useStore(store);
  const state = useSessionState();
  const navigate = useNavigate();
  const isOut = !("as" in state);
  useEffect(() => {
    if (isOut) void navigate({ to: "/sign-in", replace: true });
  }, [isOut, navigate]);
  if (api === null || isOut) return null;
  return (
    // Another person or team is another frame: nothing of the first stays on the screen.
    <ApiProvider key={api.id} api={api}>
      <ToastHost>
        <Overlays>
          <AppFrame sidebar={<AppSidebar />}>
            <Notices api={api} />
            <Waiting api={api} />
            <Outlet />
          </AppFrame>
        </Overlays>
        {state.status === "expired" && (
          <LazyPart>
            <SignInAgain as={state.as} error={state.error} />
          </LazyPart>
        )}
      </ToastHost>
    </ApiProvider>
  );
}

/** Messages that wait for the end of a turn go from here, so that no page has to stay open for them. */
function Waiting({ api: { drafts } }: { api: Api }) {
  const isWaiting = useSyncExternalStore(drafts.subscribe, () => drafts.names("outbox ").length > 0);
  return (
    isWaiting && (
      <LazyPart>
        <OutboxSenders />
      </LazyPart>
    )
  );
}

/** What is to be known on every page: that nothing is kept here, or that nothing runs there. */
function Notices({ api }: { api: Api }) {
  const { connections } = useWheelhouse();
  const trouble = useStore(api.drafts.trouble);
  return (
    (trouble !== null || connections.some(({ paused }) => paused)) && (
      <LazyPart>
        <FrameNotices trouble={trouble} />
      </LazyPart>
    )
  );
}
