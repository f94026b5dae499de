import BadgeCheck from "lucide-react/icons/badge-check";
import Bot from "lucide-react/icons/bot";
import Columns3 from "lucide-react/icons/columns-3";
import Ellipsis from "lucide-react/icons/ellipsis";
import Files from "lucide-react/icons/files";
import Gauge from "lucide-react/icons/gauge";
import Library from "lucide-react/icons/library";
import ListVideo from "lucide-react/icons/list-video";
import Maximize2 from "lucide-react/icons/maximize-2";
import Play from "lucide-react/icons/play";
import Plug from "lucide-react/icons/plug";
import Settings from "lucide-react/icons/settings";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { AppFrame } from "../../console/ui/AppFrame.tsx";
import { Brand } from "../../console/ui/Brand.tsx";
import { Breadcrumbs } from "../../console/ui/Breadcrumbs.tsx";
import { Button } from "../../console/ui/Button.tsx";
import { Checkbox } from "../../console/ui/Checkbox.tsx";
import { Chip } from "../../console/ui/Chip.tsx";
import { DefinitionList } from "../../console/ui/DefinitionList.tsx";
import { DurationBar } from "../../console/ui/DurationBar.tsx";
import { IconButton } from "../../console/ui/IconButton.tsx";
import { Id } from "../../console/ui/Id.tsx";
import { Kbd } from "../../console/ui/Kbd.tsx";
import { LiveChip } from "../../console/ui/LiveChip.tsx";
import { Notice } from "../../console/ui/Notice.tsx";
import { PageFrame } from "../../console/ui/PageFrame.tsx";
import { PanelSection } from "../../console/ui/Panel.tsx";
import { SearchInput } from "../../console/ui/SearchInput.tsx";
import { Sidebar } from "../../console/ui/Sidebar.tsx";
import { SidebarFoot } from "../../console/ui/SidebarFoot.tsx";
import { SidebarItem, SidebarWatched } from "../../console/ui/SidebarItem.tsx";
import { SidebarSearch } from "../../console/ui/SidebarSearch.tsx";
import { State } from "../../console/ui/State.tsx";
import { StatePill } from "../../console/ui/StatePill.tsx";
import { GroupRow, ListFoot, Table, Td, Th, Tr } from "../../console/ui/Table.tsx";
import { Tab, TabBar } from "../../console/ui/Tabs.tsx";
import { TopBar } from "../../console/ui/TopBar.tsx";
import type { Tone } from "../../console/ui/tone.ts";

const rows: [Tone, string, string, string, string, string, number, string, string][] = [
  [
    "waiting",
    "waiting",
    "Enrich new accounts from website",
    "12 rows · csv upload",
    "8 s ago",
    "not yet",
    0.02,
    "Jonas O.",
    "here",
  ],
  [
    "running",
    "running",
    "Enrich new accounts from website",
    "38 rows · HubSpot list 7",
    "24 s ago",
    "24 s",
    0.1,
    "Jonas O.",
    "here",
  ],
  [
    "running",
    "running",
    "Inbound claim triage",
    "CL-20934 · high",
    "41 s ago",
    "41 s",
    0.16,
    "inbox",
    "service",
  ],
  [
    "stopping",
    "stopping",
    "Contract clause extraction, tier 1",
    "19 PDF · liability, demurrage",
    "3 m ago",
    "3 m 02 s",
    0.74,
    "Mara L.",
    "here",
  ],
  [
    "running",
    "running",
    "Proof-of-delivery OCR and match",
    "RTM-2026-11-20-B · 212",
    "4 m ago",
    "4 m 12 s",
    1,
    "Mara L.",
    "here",
  ],
  [
    "failed",
    "failed",
    "Carrier rate refresh, EU lanes",
    "DSV Road · 2026-12-01",
    "5 m ago",
    "1 m 02 s",
    0.25,
    "schedule",
    "service",
  ],
  ["done", "done", "Inbound claim triage", "CL-20933 · normal", "6 m ago", "34 s", 0.14, "inbox", "service"],
  [
    "done",
    "done",
    "Customs document check: HS code",
    "HF-884120-NL · 4",
    "9 m ago",
    "1 m 11 s",
    0.28,
    "Priya R.",
    "opened",
  ],
  [
    "unknown",
    "PAUSED",
    "Weekly churn digest to #revops",
    "2026-W47",
    "58 m ago",
    "1 m 36 s",
    0.38,
    "Tomasz W.",
    "imported",
  ],
  [
    "stopped",
    "stopped",
    "Nightly invoice reconciliation",
    "2026-10 · Halden BV",
    "1 h ago",
    "2 m 20 s",
    0.55,
    "Mara L.",
    "here",
  ],
];

const pages = [
  ["Overview", <Gauge key="i" />],
  ["Agents", <Bot key="i" />],
  ["Runs", <ListVideo key="i" />],
  ["Artifacts", <Files key="i" />],
  ["MCP servers", <Plug key="i" />, 1],
  ["Evaluations", <BadgeCheck key="i" />],
  ["Knowledge", <Library key="i" />, 2],
] as const;

/** The frame around a list of runs, with a panel. Everything in it is sample data. */
export function Frame() {
  const [selected, setSelected] = useState<number | undefined>(5);
  return (
    <AppFrame sidebar={<SampleSidebar />}>
      <PageFrame
        topBar={
          <TopBar
            crumbs={<Breadcrumbs current="Runs" />}
            live={<LiveChip liveness="live" word="Live" detail="checked 2 s ago · every 1 s" />}
            actions={
              <Button variant="primary" icon={<Play />}>
                Start a run
              </Button>
            }
          />
        }
        panel={selected !== undefined && <SamplePanel onClose={() => setSelected(undefined)} />}
        panelLabel="Selected run"
      >
        <TabBar label="Views" className="shrink-0 pr-edge-right pl-edge-left" end="Save this view">
          <Tab isActive href="#all" count={412}>
            All known
          </Tab>
          <Tab isActive={false} href="#moving" count={4}>
            Moving
          </Tab>
          <Tab isActive={false} href="#failed" count={7} isTrouble>
            Failed today
          </Tab>
          <Tab isActive={false} href="#mine">
            Mine
          </Tab>
        </TabBar>
        <div className="flex h-filters shrink-0 items-center gap-1.5 pr-edge-right pl-edge-left">
          <SearchInput
            label="Search runs"
            placeholder="Inputs, outputs, log lines"
            shortcut="/"
            className="w-[236px]"
          />
          <Chip name="Started" value="last 24 h" onClear={() => {}} />
          <Chip name="State" />
          <Chip name="Flow" className="max-sm:hidden" />
          <span className="ml-auto">
            <IconButton size="small" label="Columns">
              <Columns3 />
            </IconButton>
          </span>
        </div>
        <div className="min-h-0 flex-1 overflow-auto">
          <SampleTable selected={selected} onSelect={setSelected} />
        </div>
        <ListFoot
          keys={
            <>
              <span className="flex items-center gap-1.5">
                <Kbd>j</Kbd>
                <Kbd>k</Kbd> move
              </span>
              <span className="flex items-center gap-1.5">
                <Kbd>x</Kbd> select
              </span>
            </>
          }
        >
          104 of the 412 runs that this browser and the service know
        </ListFoot>
      </PageFrame>
    </AppFrame>
  );
}

function SampleSidebar() {
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

function SampleTable({
  selected,
  onSelect,
}: {
  selected: number | undefined;
  onSelect: (row: number) => void;
}) {
  return (
    <Table label="Runs" className="min-w-[720px]">
      <thead>
        <tr>
          <Th className="w-[42px]">
            <Checkbox aria-label="Select all" />
          </Th>
          <Th className="w-[98px]">State</Th>
          <Th>Flow</Th>
          <Th className="w-[158px]">First inputs</Th>
          <Th className="w-[90px]" sort="descending" onSort={() => {}}>
            Started
          </Th>
          <Th className="w-[120px]" isFigure>
            Duration
          </Th>
          <Th className="w-[84px]">By</Th>
          <Th className="w-[80px]">Source</Th>
        </tr>
      </thead>
      <tbody>
        <GroupRow columns={8} name="Today" count={rows.length} remark="a group row" />
        {rows.map(([tone, word, flow, input, started, duration, share, by, source], index) => (
          <Tr key={started + input} isSelected={selected === index} onClick={() => onSelect(index)}>
            <Td>
              <Checkbox aria-label={`Select ${flow}`} />
            </Td>
            <Td>
              <State tone={tone} word={word} />
            </Td>
            <Td kind="name">{flow}</Td>
            <Td kind="support">{input}</Td>
            <Td kind="muted">{started}</Td>
            <Td kind="figure">
              <span className="flex items-baseline justify-end gap-2">
                <DurationBar share={share} tone={tone} className="mr-auto" />
                <span className={tone === "running" ? undefined : "text-muted"}>{duration}</span>
              </span>
            </Td>
            <Td kind="support">{by}</Td>
            <Td kind="faint">{source}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function SamplePanel({ onClose }: { onClose: () => void }) {
  return (
    <>
      <PanelSection>
        <div className="flex items-center gap-2">
          <StatePill tone="failed" word="Failed" />
          <span className="flex-1 text-muted text-secondary">after 1 m 02 s</span>
          <IconButton size="small" label="Open">
            <Maximize2 />
          </IconButton>
          <IconButton size="small" label="Close" shortcut="esc" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <h2 className="mt-2 text-heading">Carrier rate refresh, EU lanes</h2>
        <div className="mb-2 flex items-center gap-1.5 text-muted text-secondary">
          <Id id="jVnA6tEcGfDNr9XNFDFgqg" cut={[10, 6]} what="run id" />{" "}
          <span className="truncate">· 09:37:08 today, schedule</span>
        </div>
        <div className="flex gap-2">
          <Button size="small">Run again</Button>
          <Button size="small">Compare with last good</Button>
          <span className="ml-auto">
            <IconButton size="small" variant="plain" label="More">
              <Ellipsis />
            </IconButton>
          </span>
        </div>
      </PanelSection>
      <Notice kind="failed" title="Fetch tariff (HTTP) gave up after 3 tries">
        <code className="block text-mono-json">
          502 Bad Gateway from api.dsv.example/v3/tariffs?lane=NL-PL&from=2026-12-01
        </code>
      </Notice>
      <PanelSection title="Inputs" isQuiet>
        <DefinitionList
          isMono
          rows={[
            { key: "carrier", name: "carrier", value: "DSV Road" },
            { key: "valid_from", name: "valid_from", value: "2026-12-01" },
            { key: "lanes", name: "lanes", value: "NL-PL, NL-DE, BE-FR, DE-CZ, DE-AT, NL-ES" },
          ]}
        />
      </PanelSection>
    </>
  );
}
