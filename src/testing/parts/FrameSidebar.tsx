import BadgeCheck from "lucide-react/icons/badge-check";
import Bot from "lucide-react/icons/bot";
import Files from "lucide-react/icons/files";
import Gauge from "lucide-react/icons/gauge";
import Library from "lucide-react/icons/library";
import ListVideo from "lucide-react/icons/list-video";
import Plug from "lucide-react/icons/plug";
import Settings from "lucide-react/icons/settings";
import { Brand } from "../../console/ui/Brand.tsx";
import { IconButton } from "../../console/ui/Button.tsx";
import { Sidebar, SidebarFoot, SidebarItem, SidebarSearch } from "../../console/ui/Sidebar.tsx";
import { SidebarWatched } from "../../console/ui/SidebarWatched.tsx";

const pages = [
  ["Overview", <Gauge key="i" />],
  ["Agents", <Bot key="i" />],
  ["Runs", <ListVideo key="i" />],
  ["Artifacts", <Files key="i" />],
  ["MCP servers", <Plug key="i" />, 1],
  ["Evaluations", <BadgeCheck key="i" />],
  ["Knowledge", <Library key="i" />, 2],
] as const;

/** The sidebar with sample pages and runs. */
export function SampleSidebar() {
  return (
    <Sidebar
      brand={
        <a href="#home" aria-label="Wheelhouse">
          <Brand />
        </a>
      }
      search={<SidebarSearch />}
      watching={
        <>
          <SidebarWatched tone="running" word="running" age="4 m">
            <a href="#1">Proof-of-delivery OCR and match</a>
          </SidebarWatched>
          <SidebarWatched tone="running" word="running" age="41 s">
            <a href="#2">Claims triage desk · CL-20931</a>
          </SidebarWatched>
          <SidebarWatched tone="failed" word="failed" age="5 m ago">
            <a href="#3">Carrier rate refresh</a>
          </SidebarWatched>
        </>
      }
      foot={
        <SidebarFoot
          name="Halden Freight"
          detail="Personal key · Revenue Ops"
          health="good"
          healthWord="answers"
          settings={
            <IconButton size="small" label="Settings">
              <Settings />
            </IconButton>
          }
        />
      }
    >
      {pages.map(([label, icon, waiting]) => (
        <SidebarItem key={label} icon={icon} isActive={label === "Runs"} waiting={waiting}>
          <a href={`#${label}`}>{label}</a>
        </SidebarItem>
      ))}
    </Sidebar>
  );
}
