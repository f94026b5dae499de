import Play from "lucide-react/icons/play";
import Plug from "lucide-react/icons/plug";
import Search from "lucide-react/icons/search";
import { type ReactNode, useState } from "react";
import { Button } from "../../console/ui/Button.tsx";
import { ConfirmDialog } from "../../console/ui/Dialog.tsx";
import { Kbd } from "../../console/ui/Kbd.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../console/ui/Menu.tsx";
import { StateShape } from "../../console/ui/State.tsx";
import { useToast } from "../../console/ui/Toast.tsx";
import { Tooltip } from "../../console/ui/Tooltip.tsx";
import { Part } from "./Part.tsx";

function PaletteRow({
  icon,
  children,
  end,
  isActive = false,
}: {
  icon: ReactNode;
  children: ReactNode;
  end?: ReactNode;
  isActive?: boolean;
}) {
  return (
    <div
      className={`mx-1.5 flex h-[34px] items-center gap-2.5 rounded-tag px-2.5 ${isActive ? "bg-surface-raised-hover" : ""}`}
    >
      {icon}
      <span className="flex-1 truncate">{children}</span>
      <span className="flex items-center gap-2.5 text-muted text-secondary">{end}</span>
    </div>
  );
}

export function PalettePart() {
  const group = "px-4 pt-2.5 pb-1 text-muted text-secondary";
  return (
    <Part name="Command palette" remark="everything, by its own words">
      <div className="overflow-hidden rounded-panel border bg-surface-raised shadow-float">
        <div className="flex h-11 items-center gap-3 border-b px-4">
          <Search className="size-4! text-muted" />
          <span className="flex-1 text-[15px]">dsv</span>
          <Kbd>esc</Kbd>
        </div>
        <div className={group}>Runs</div>
        <PaletteRow
          isActive
          icon={<StateShape tone="failed" label="failed" />}
          end={
            <>
              5 m ago <Kbd>enter</Kbd>
            </>
          }
        >
          Carrier rate refresh, EU lanes{" "}
          <span className="text-muted">
            · carrier <b className="font-semibold">DSV</b> Road
          </span>
        </PaletteRow>
        <PaletteRow icon={<StateShape tone="failed" label="failed" />} end="35 m ago">
          Carrier rate refresh, EU lanes{" "}
          <span className="text-muted">
            · line 148: 502 from api.<b className="font-semibold">dsv</b>.example
          </span>
        </PaletteRow>
        <div className={group}>Servers</div>
        <PaletteRow icon={<Plug className="text-muted" />} end="blocked">
          <b className="font-semibold">dsv</b>-tariffs
        </PaletteRow>
        <div className={group}>Do</div>
        <PaletteRow icon={<Play className="text-muted" />}>
          Run “Carrier rate refresh” with carrier <b className="font-semibold">DSV</b> Road again
        </PaletteRow>
        <div className="mt-1.5 flex h-9 items-center justify-between border-t px-4 text-muted text-secondary">
          <span className="flex items-center gap-1.5">
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> move
            <span className="w-1.5" />
            <Kbd>tab</Kbd> actions
          </span>
          <span>412 runs, 64 artifacts searched in 4 ms</span>
        </div>
      </div>
    </Part>
  );
}

export function MenuPart() {
  return (
    <Part name="Menu, tooltip">
      <div className="flex items-center gap-2">
        <Menu trigger={<Button>Open the menu</Button>}>
          <MenuItem shortcut="r">Run again</MenuItem>
          <MenuItem>Run with other inputs</MenuItem>
          <MenuItem shortcut="c">Compare with last good</MenuItem>
          <MenuItem>Copy as curl</MenuItem>
          <MenuSeparator />
          <MenuItem isDanger>Kill run and 6 sub-runs</MenuItem>
        </Menu>
        <Tooltip content="20 Nov 2026, 09:38:03.114">
          <Button variant="quiet">5 m ago</Button>
        </Tooltip>
        <Tooltip content="Copy id" shortcut="y">
          <Button variant="quiet">Id</Button>
        </Tooltip>
      </div>
    </Part>
  );
}

export function ToastPart() {
  const toast = useToast();
  const act = { altText: "Undo in the sharing dialog", onAct: () => {} };
  return (
    <Part name="Toasts" remark="one at a time; undo where an inverse exists">
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() =>
            toast.show({
              tone: "done",
              title: "Access changed",
              detail: "2 added, 1 removed; Priya was told",
              action: { label: "Undo", ...act },
            })
          }
        >
          Done
        </Button>
        <Button
          onClick={() =>
            toast.show({
              tone: "stopping",
              title: "Kill requested for 6 runs",
              detail: "4 stopped, 2 still answering “running”",
              action: { label: "Show", ...act },
            })
          }
        >
          Stopping
        </Button>
        <Button
          onClick={() =>
            toast.show({
              tone: "failed",
              title: "Message not sent",
              detail: "Kept in the outbox; the service is not reachable",
              action: { label: "Retry", ...act },
            })
          }
        >
          Failed
        </Button>
      </div>
    </Part>
  );
}

export function ConfirmPart() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Part name="Confirm what cannot be undone" remark="the button says what it does">
      <Button variant="danger" onClick={() => setOpen(true)}>
        Retire agent…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Retire Claims triage?"
        consequence="It disappears from the list and cannot be brought back through the API. Its 128 conversations and 64 artifacts stay. To pause it, turn off its triggers instead."
        action="Retire agent"
        nameToType="Claims triage"
        onConfirm={() => setOpen(false)}
      />
    </Part>
  );
}
