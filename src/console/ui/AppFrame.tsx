import { createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { later } from "./later.ts";

const Drawer = later(() => import("./Drawer.tsx"));

/** The whole window: the sidebar at the left (a drawer on phones), the page beside it. */
export function AppFrame({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  const [isSidebarOpen, setOpen] = useState(false);
  const control = useMemo(
    () => ({ isSidebarOpen, openSidebar: () => setOpen(true), closeSidebar: () => setOpen(false) }),
    [isSidebarOpen],
  );
  return (
    <FrameContext value={control}>
      <div className="flex h-dvh overflow-hidden">
        <button type="button" onClick={() => document.getElementById("content")?.focus()} className="skip">
          Skip to content
        </button>
        <aside aria-label="Sidebar" className="shrink-0 max-sm:hidden">
          {sidebar}
        </aside>
        {isSidebarOpen && (
          <Suspense fallback={null}>
            <Drawer onClose={control.closeSidebar}>{sidebar}</Drawer>
          </Suspense>
        )}
        <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      </div>
    </FrameContext>
  );
}

/** Lets the top bar open the sidebar where there is no room for it. */
type FrameControl = { openSidebar: () => void; closeSidebar: () => void; isSidebarOpen: boolean };

const none: FrameControl = { openSidebar: () => {}, closeSidebar: () => {}, isSidebarOpen: false };

const FrameContext = createContext<FrameControl>(none);

/** The frame around this page. */
export function useFrame(): FrameControl {
  return use(FrameContext);
}
