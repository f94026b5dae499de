import { LiveChip } from "../../console/ui/LiveChip.tsx";
import { Breadcrumbs } from "../../console/ui/PageFrame.tsx";
import { Tab, TabBar } from "../../console/ui/Tabs.tsx";
import { Part } from "./Part.tsx";

const sizes: [string, string, string][] = [
  ["20/28 600", "text-title", "Proof-of-delivery OCR and match"],
  ["15/22 600", "text-heading", "System prompt"],
  ["13/20 400", "", "We owe € 4,212.60 at most; the reefer stayed inside its band."],
  ["13/20 500", "font-medium", "Nightly invoice reconciliation"],
  ["12/16 400", "text-secondary text-muted", "started 09:38:03 by Mara Lindqvist"],
  ["mono 12/20", "text-mono", "q7RkT2mWx0eLsVbN4hZ9Pd 3:03.990"],
];

export function TypeParts() {
  return (
    <Part name="Type" remark="Inter, JetBrains Mono; tabular figures in columns">
      {sizes.map(([name, className, sample]) => (
        <div key={name} className="flex items-baseline py-px">
          <span className="w-[88px] shrink-0 text-muted text-secondary">{name}</span>
          <span className={className}>{sample}</span>
        </div>
      ))}
    </Part>
  );
}

const colours = [
  ["surface", "bg-surface"],
  ["surface-sunken", "bg-surface-sunken"],
  ["surface-raised", "bg-surface-raised"],
  ["surface-hover", "bg-surface-hover"],
  ["surface-pressed", "bg-surface-pressed"],
  ["surface-selected", "bg-surface-selected"],
  ["text", "bg-[var(--text)]"],
  ["text-muted", "bg-[var(--text-muted)]"],
  ["text-faint", "bg-[var(--text-faint)]"],
  ["accent-solid", "bg-accent-solid"],
  ["line", "bg-line"],
  ["line-strong", "bg-line-strong"],
] as const;

export function SurfaceParts() {
  return (
    <Part name="Surfaces, text, lines">
      <div className="grid grid-cols-2 gap-y-1">
        {colours.map(([name, className]) => (
          <span key={name} className="flex h-5 items-center gap-2 text-muted text-secondary">
            <span className={`h-4 w-7 rounded-tag border ${className}`} />
            {name}
          </span>
        ))}
      </div>
    </Part>
  );
}

export function TabParts() {
  return (
    <Part name="Tabs, crumbs, live">
      <TabBar label="Parts of a run">
        <Tab isActive>
          <a href="#log">Log</a>
        </Tab>
        <Tab isActive={false}>
          <a href="#inputs">Inputs</a>
        </Tab>
        <Tab isActive={false} count={3}>
          <a href="#files">Files</a>
        </Tab>
        <Tab isActive={false} count={7} isTrouble>
          <a href="#failed">Failed</a>
        </Tab>
      </TabBar>
      <div className="mt-3.5 mb-2">
        <Breadcrumbs
          parents={[{ key: "runs", link: <a href="#runs">Runs</a> }]}
          current="Carrier rate refresh"
        />
      </div>
      <div className="-ml-1.5 flex flex-col items-start">
        <LiveChip liveness="live" word="Live" detail="checked 2 s ago · every 1 s" />
        <LiveChip liveness="resting" word="Resting" detail="tab is hidden, checks every 30 s" />
        <LiveChip liveness="slowed" word="Slowed" detail="service said wait, next in 14 s" />
      </div>
    </Part>
  );
}
