import { createContext, use } from "react";

/** Lets the top bar open the sidebar where there is no room for it. */
export type FrameControl = { openSidebar: () => void; closeSidebar: () => void; isSidebarOpen: boolean };

const none: FrameControl = { openSidebar: () => {}, closeSidebar: () => {}, isSidebarOpen: false };

export const FrameContext = createContext<FrameControl>(none);

/** The frame around this page. */
export function useFrame(): FrameControl {
  return use(FrameContext);
}
