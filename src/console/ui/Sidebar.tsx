import type { ReactNode } from "react";

type Props = {
  /** A link around Brand. */
  brand: ReactNode;
  /** The button that opens the palette: SidebarSearch. */
  search: ReactNode;
  /** SidebarItem for each page. */
  children: ReactNode;
  /** What the person follows: SidebarWatched for each; nothing hides the heading too. */
  watching?: ReactNode;
  /** The connection: name, kind of key, team, and the settings. */
  foot: ReactNode;
};

/** Navigation: 220 px, icons only (56 px) below 1180, a drawer on phones. */
export function Sidebar({ brand, search, children, watching, foot }: Props) {
  return (
    <div data-sidebar="" className="sidebar">
      <div className="flex h-topbar w-full shrink-0 items-center px-4 sm:max-lg:justify-center sm:max-lg:px-0">
        {brand}
      </div>
      <div className="w-full shrink-0 px-2 pb-3">{search}</div>
      <nav aria-label="Pages" className="flex w-full shrink-0 flex-col gap-px px-2">
        {children}
      </nav>
      {watching !== undefined && (
        <nav aria-label="Watching" className="mt-5 flex min-h-0 w-full flex-1 flex-col overflow-y-auto px-2">
          <h2 className="px-2 pb-2 text-muted text-secondary sm:max-lg:sr-only">Watching</h2>
          {watching}
        </nav>
      )}
      <div className="mt-auto w-full shrink-0 border-t">{foot}</div>
    </div>
  );
}
