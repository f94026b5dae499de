import Menu from "lucide-react/icons/menu";
import { Fragment, type ReactNode } from "react";
import { useFrame } from "./AppFrame.tsx";
import { Button, IconButton } from "./Button.tsx";
import { cx } from "./cx.ts";
import { type KeyHint, KeyHints } from "./Kbd.tsx";
import { ListFoot } from "./Table.tsx";

type Props = {
  topBar: ReactNode;
  children: ReactNode;
  /** What stands beside the content. */
  panel?: ReactNode;
  /** Its name for those who listen. */
  panelLabel?: string;
  /** `list`: 344, and below 900 it takes the page's place. `detail`: 288, and below 1180 the page shows it as tabs. */
  panelKind?: "list" | "detail" | "catalogue";
  /** The line under everything: what was done, and the acts of a long form. */
  foot?: ReactNode;
};

const widths = {
  list: "w-panel-list max-md:w-full max-md:border-l-0",
  detail: "w-panel-detail max-lg:hidden",
  catalogue: "w-panel-catalogue max-md:w-full max-md:border-l-0",
};

/** A page: the bar, the content that scrolls by itself, and a panel beside it where there is room. */
export function PageFrame({
  topBar,
  children,
  panel,
  panelLabel = "Details",
  panelKind = "list",
  foot,
}: Props) {
  const hasPanel = panel !== undefined && panel !== null && panel !== false;
  return (
    <>
      {topBar}
      <main className="flex min-h-0 flex-1">
        <div
          id="content"
          tabIndex={-1}
          className={cx(
            "relative flex min-w-0 flex-1 flex-col overflow-y-auto outline-none",
            hasPanel && panelKind !== "detail" && "max-md:hidden",
          )}
        >
          {children}
        </div>
        {hasPanel && (
          <section
            aria-label={panelLabel}
            className={cx("shrink-0 overflow-y-auto border-l bg-surface", widths[panelKind])}
          >
            {panel}
          </section>
        )}
      </main>
      {foot !== undefined && (
        <footer className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t py-2 pr-edge-right pl-edge-left">
          {foot}
        </footer>
      )}
    </>
  );
}

type TopBarProps = {
  /** Breadcrumbs; the last one is the page's h1. */
  crumbs: ReactNode;
  /** The LiveChip. */
  live?: ReactNode;
  /** The page's actions; on phones at most two, the rest behind "…". */
  actions?: ReactNode;
};

/** The bar over a page, 48 px (52 on phones). */
export function TopBar({ crumbs, live, actions }: TopBarProps) {
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

type Parent = { key: string; link: ReactNode };

/** Where this is. Parents are links that the page renders; the last crumb is the page's h1. On phones the nearest parent is the way back. */
export function Breadcrumbs({ parents = [], current }: { parents?: readonly Parent[]; current: ReactNode }) {
  const hasParents = parents.length > 0;
  return (
    <nav aria-label="Breadcrumbs" className="flex min-w-0 items-center gap-2">
      {parents.map((parent, index) => (
        <Fragment key={parent.key}>
          <span
            className={cx(
              "crumb max-w-44 shrink-0 truncate text-muted",
              index < parents.length - 1 && "max-sm:hidden",
            )}
          >
            {parent.link}
          </span>
          <span className="text-faint max-sm:hidden" aria-hidden="true">
            /
          </span>
        </Fragment>
      ))}
      <h1 className={cx("truncate", hasParents ? "font-semibold max-sm:sr-only" : "text-heading")}>
        {current}
      </h1>
    </nav>
  );
}

/** What reads the next part of a list. */
interface More {
  readonly label: string;
  readonly read: () => void;
  readonly isReading: boolean;
  /** Why the last try failed; null where none did. */
  readonly error: unknown;
}

type PageFootProps = {
  children?: ReactNode;
  keys?: readonly KeyHint[];
  /** In place of the keys: a remark at the right. */
  aside?: ReactNode;
  /** What floats over the end of the page. */
  over?: ReactNode;
  /** Null: everything is there. */
  more?: More | null;
};

/** The foot of a page that scrolls: it stays at the lower edge. */
export function PageFoot({ children, keys, aside, over, more }: PageFootProps) {
  return (
    <div className="sticky bottom-0 z-sticky mt-auto">
      {over}
      <ListFoot keys={keys ? <KeyHints hints={keys} /> : aside}>
        {children}
        {more && (
          <Button variant="quiet" size="small" onClick={more.read} loading={more.isReading} className="ml-2">
            {more.error === null ? more.label : "Could not load more. Try again"}
          </Button>
        )}
      </ListFoot>
    </div>
  );
}
