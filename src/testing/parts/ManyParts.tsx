import X from "lucide-react/icons/x";
import { Button, IconButton } from "../../console/ui/Button.tsx";
import { FloatingBar } from "../../console/ui/FloatingBar.tsx";
import { SegmentBar } from "../../console/ui/SegmentBar.tsx";
import { linkClass } from "../../console/ui/textClass.ts";
import { Part } from "./Part.tsx";

export function BulkPart() {
  return (
    <Part name="Many at once" remark="a bulk action is a thing with progress">
      <FloatingBar
        label="Selected runs"
        actions={
          <>
            <Button size="small">Run again</Button>
            <Button size="small">Compare</Button>
            <Button size="small" variant="danger">
              Kill 2 running
            </Button>
            <IconButton size="small" variant="plain" label="Select none">
              <X />
            </IconButton>
          </>
        }
      >
        6 selected
      </FloatingBar>
      <div className="mt-3 rounded-panel border px-3.5 py-3">
        <div className="flex items-baseline justify-between">
          <span className="font-medium">Run again: 14 of 38</span>
          <span className="text-muted text-secondary tabular-nums">about 2 m left</span>
        </div>
        <SegmentBar
          label="13 started, 1 refused, 4 open, 20 to come"
          total={38}
          className="my-1"
          parts={[
            { key: "started", count: 13, className: "bg-chart-quiet" },
            { key: "refused", count: 1, className: "bg-state-failed-mark" },
            { key: "open", count: 4, className: "bg-state-running-mark" },
          ]}
        />
        <div className="flex justify-between text-muted text-secondary">
          <span>13 started, 1 refused, 4 open; survives a reload</span>
          <span className="flex gap-3">
            <button type="button" className={linkClass}>
              Pause
            </button>
            <button type="button" className={linkClass}>
              Retry 1
            </button>
          </span>
        </div>
      </div>
    </Part>
  );
}

export function DifferenceParts() {
  return (
    <Part name="Differences, search, JSON">
      <pre className="text-mono">
        <div className="bg-diff-del-bg px-2">
          - read <span className="bg-diff-del-strong">the reefer log</span>
        </div>
        <div className="bg-diff-add-bg px-2">
          + read <span className="bg-diff-add-strong">every sensor log</span>
        </div>
        <div className="px-2 pt-2">
          quantity <mark className="rounded-mark bg-hit-bg text-default">mismatch</mark>, date{" "}
          <mark className="rounded-mark bg-hit-current-bg text-on-hit">mismatch</mark>
        </div>
        <div className="px-2 pt-2 text-muted">
          {"{ "}"order_no": <span className="text-ansi-green">"PO-771204"</span>,{"\n  "}"pallets":{" "}
          <span className="text-ansi-blue">6</span>, "signed": <span className="text-ansi-magenta">true</span>
          {" }"}
        </div>
      </pre>
    </Part>
  );
}
