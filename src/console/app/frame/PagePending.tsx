import { useLocation } from "@tanstack/react-router";
import { Breadcrumbs, PageFrame, TopBar } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { nav } from "./nav.tsx";

/** What stands in the frame while the code of a page is on the way. */
export function PagePending() {
  const path = useLocation({ select: (location) => location.pathname });
  const heading = nav.find(({ to }) => to !== "/" && path.startsWith(to))?.label ?? "Overview";
  return (
    <PageFrame topBar={<TopBar crumbs={<Breadcrumbs current={heading} />} />}>
      <SkeletonRows label="Loading the page" rows={8} columns={["20px", "2fr", "1fr", "1fr", "60px"]} />
    </PageFrame>
  );
}
