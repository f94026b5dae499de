import Columns3 from "lucide-react/icons/columns-3";
import Play from "lucide-react/icons/play";
import { useState } from "react";
import { AppFrame } from "../../console/ui/AppFrame.tsx";
import { Button, IconButton } from "../../console/ui/Button.tsx";
import { Chip } from "../../console/ui/Chip.tsx";
import { KeyHints, moveKeys } from "../../console/ui/Kbd.tsx";
import { LiveChip } from "../../console/ui/LiveChip.tsx";
import { Breadcrumbs, PageFrame, TopBar } from "../../console/ui/PageFrame.tsx";
import { SearchInput } from "../../console/ui/SearchInput.tsx";
import { ListFoot } from "../../console/ui/Table.tsx";
import { Tab, TabBar } from "../../console/ui/Tabs.tsx";
import { SamplePanel } from "./FramePanel.tsx";
import { SampleSidebar } from "./FrameSidebar.tsx";
import { SampleTable } from "./FrameTable.tsx";

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
        <TabBar label="Views" className="shrink-0 pr-edge-right pl-edge-left">
          <Tab isActive count={412}>
            <a href="#all">All known</a>
          </Tab>
          <Tab isActive={false} count={4}>
            <a href="#moving">Moving</a>
          </Tab>
          <Tab isActive={false} count={7} isTrouble>
            <a href="#failed">Failed, last 24 h</a>
          </Tab>
          <Tab isActive={false}>
            <a href="#mine">Mine</a>
          </Tab>
        </TabBar>
        <div className="flex h-filters shrink-0 items-center gap-1.5 pr-edge-right pl-edge-left">
          <SearchInput
            label="Search runs"
            placeholder="Inputs, outputs, log lines"
            shortcut="/"
            className="w-[236px]"
            value=""
            onText={() => {}}
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
        <ListFoot keys={<KeyHints hints={[moveKeys, { keys: ["x"], does: "select" }]} />}>
          104 of the 412 runs that this browser and the service know
        </ListFoot>
      </PageFrame>
    </AppFrame>
  );
}
