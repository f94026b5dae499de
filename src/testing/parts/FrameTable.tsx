import { DurationBar } from "../../console/ui/Chart.tsx";
import { Checkbox } from "../../console/ui/Checkbox.tsx";
import type { Tone } from "../../console/ui/State.tsx";
import { State } from "../../console/ui/State.tsx";
import { Table } from "../../console/ui/Table.tsx";

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

/** A list of sample runs. */
export function SampleTable({
  selected,
  onSelect,
}: {
  selected: number | undefined;
  onSelect: (row: number) => void;
}) {
  return (
    <Table
      label="Runs"
      className="min-w-[720px]"
      groups={[{ key: "today", name: "Today", count: rows.length, remark: "a group row", rows }]}
      idOf={([, , , input, started]) => started + input}
      isSelected={(row) => rows.indexOf(row) === selected}
      onRow={(row) => onSelect(rows.indexOf(row))}
      columns={{
        select: {
          head: <Checkbox aria-label="Select all" />,
          width: 42,
          cell: ([, , flow]) => <Checkbox aria-label={`Select ${flow}`} />,
        },
        state: { head: "State", width: 98, cell: ([tone, word]) => <State tone={tone} word={word} /> },
        flow: { head: "Flow", kind: "name", cell: ([, , flow]) => flow },
        inputs: { head: "First inputs", width: 158, kind: "support", cell: ([, , , input]) => input },
        started: {
          head: "Started",
          width: 90,
          kind: "muted",
          sort: "descending",
          onSort: () => {},
          cell: ([, , , , started]) => started,
        },
        duration: {
          head: "Duration",
          width: 120,
          kind: "figure",
          cell: ([tone, , , , , duration, share]) => (
            <span className="flex items-baseline justify-end gap-2">
              <DurationBar share={share} tone={tone} className="mr-auto" />
              <span className={tone === "running" ? undefined : "text-muted"}>{duration}</span>
            </span>
          ),
        },
        by: { head: "By", width: 84, kind: "support", cell: (row) => row[7] },
        source: { head: "Source", width: 80, kind: "faint", cell: (row) => row[8] },
      }}
    />
  );
}
