import { type ReactNode, useEffect } from "react";
import { Breadcrumbs } from "../../ui/Breadcrumbs.tsx";
import { PageFrame } from "../../ui/PageFrame.tsx";
import { TopBar } from "../../ui/TopBar.tsx";

type Props = {
  /** What the tab says: the object and its state. "Wheelhouse" follows by itself. */
  title: string;
  /** The pages above this one, as links. */
  parents?: readonly { key: string; link: ReactNode }[];
  /** The last crumb, the page's h1. */
  heading: ReactNode;
  live?: ReactNode;
  actions?: ReactNode;
  panel?: ReactNode;
  panelLabel?: string;
  panelKind?: "list" | "detail" | "catalogue";
  foot?: ReactNode;
  children: ReactNode;
};

/** A page inside the frame: its title in the tab, breadcrumbs, live chip and actions in the bar, content and panel. */
export function Page({ title, parents = [], heading, live, actions, children, ...frame }: Props) {
  useTitle(title);
  return (
    <PageFrame
      {...frame}
      topBar={
        <TopBar crumbs={<Breadcrumbs parents={parents} current={heading} />} live={live} actions={actions} />
      }
    >
      {children}
    </PageFrame>
  );
}

/** Names the page in the tab, in the history and to those who listen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Wheelhouse`;
  }, [title]);
}
