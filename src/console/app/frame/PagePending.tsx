import { useLocation } from "@tanstack/react-router";
import { Breadcrumbs, TopBar } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { nav } from "./nav.tsx";

/** What stands in the frame while the code of a page is on the way: no page yet, so no `main`. */
export function PagePending() {
  const path = useLocation({ select: (location) => location.pathname });
  const heading = nav.find(({ to }) => to !== "/" && path.startsWith(to))?.label ?? "Overview";
  return (
    <>
      <TopBar crumbs={<Breadcrumbs current={heading} />} />
      <SkeletonRows label="Loading the page" rows={8} columns={["20px", "2fr", "1fr", "1fr", "60px"]} />
    </>
  );
}
