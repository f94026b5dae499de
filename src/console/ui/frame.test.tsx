import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { AppFrame } from "./AppFrame.tsx";
import { LiveChip } from "./LiveChip.tsx";
import { Breadcrumbs, PageFrame, TopBar } from "./PageFrame.tsx";
import { Sidebar, SidebarFoot, SidebarItem, SidebarSearch } from "./Sidebar.tsx";
import { SidebarWatched } from "./SidebarWatched.tsx";

function Page() {
  const sidebar = (
    <Sidebar
      brand={<a href="#home">Wheelhouse</a>}
      search={<SidebarSearch />}
      watching={
        <SidebarWatched tone="running" word="running" age="4 m">
          <a href="#run">Delivery scans</a>
        </SidebarWatched>
      }
      foot={
        <SidebarFoot name="Halden Freight" detail="Personal key" health="gone" healthWord="does not answer" />
      }
    >
      <SidebarItem icon={null} isActive>
        <a href="#runs">Runs</a>
      </SidebarItem>
      <SidebarItem icon={null} isActive={false} waiting={2}>
        <a href="#knowledge">Knowledge</a>
      </SidebarItem>
    </Sidebar>
  );
  const live = <LiveChip liveness="live" word="Live" detail="checked 2 s ago" />;
  return (
    <AppFrame sidebar={sidebar}>
      <PageFrame
        topBar={<TopBar crumbs={<Breadcrumbs current="Runs" />} live={live} />}
        panel="the run"
        panelLabel="Selected run"
      >
        the list
      </PageFrame>
    </AppFrame>
  );
}

test("the frame has its landmarks, and each says what it is", () => {
  render(<Page />);
  expect(screen.getByRole("main").textContent).toContain("the list");
  expect(screen.getByRole("region", { name: "Selected run" }).textContent).toBe("the run");
  expect(screen.getByRole("heading", { level: 1, name: "Runs" })).toBeTruthy();
  const pages = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(pages.getByRole("link", { name: "Runs" }).getAttribute("aria-current")).toBe("page");
  expect(pages.getByRole("link", { name: "Knowledge 2 waiting for you" }).getAttribute("href")).toBe(
    "#knowledge",
  );
  const watching = within(screen.getByRole("navigation", { name: "Watching" }));
  expect(watching.getByRole("link", { name: "running Delivery scans 4 m" })).toBeTruthy();
  expect(
    within(screen.getByRole("complementary", { name: "Sidebar" })).getByText("does not answer"),
  ).toBeTruthy();
});

test("the search button is called what stands on it, and shows its name where only the icon fits", async () => {
  render(<SidebarSearch />);
  const button = screen.getByRole("button", { name: "Search or jump to" });
  // Whoever speaks to the page says what is written; a name of its own beside the words could differ from them.
  expect(button.getAttribute("aria-label")).toBeNull();
  await userEvent.tab();
  expect((await screen.findByRole("tooltip")).textContent).toContain("Search or jump to");
});

test("the first key press offers the way past the sidebar", async () => {
  render(<Page />);
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Skip to content");
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement?.textContent).toBe("the list");
});

test("on phones the sidebar opens over the page, and following a link closes it", async () => {
  render(<Page />);
  await userEvent.click(screen.getByRole("button", { name: "Navigation" }));
  const drawer = await screen.findByRole("dialog", { name: "Navigation" });
  await userEvent.click(within(drawer).getByRole("link", { name: "Runs" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});
