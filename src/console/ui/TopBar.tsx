import Menu from "lucide-react/icons/menu";
import type { ReactNode } from "react";
import { useFrame } from "./frameContext.ts";
import { IconButton } from "./IconButton.tsx";

type Props = {
  /** Breadcrumbs; the last one is the page's h1. */
  crumbs: ReactNode;
  /** The LiveChip. */
  live?: ReactNode;
  /** The page's actions; on phones at most two, the rest behind "…". */
  actions?: ReactNode;
};

/** The bar over a page, 48 px (52 on phones). */
export function TopBar({ crumbs, live, actions }: Props) {
  const frame = useFrame();
  return (
    <header className="topbar">
      <span className="sm:hidden [&_.lucide]:size-4">
        <IconButton label="Navigation" aria-expanded={frame.isSidebarOpen} onClick={frame.openSidebar}>
          <Menu />
        </IconButton>
      </span>
      <div className="min-w-0 flex-1">{crumbs}</div>
      {live}
      {actions !== undefined && (
        <div className="flex shrink-0 items-center gap-2 empty:hidden">{actions}</div>
      )}
    </header>
  );
}
