import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { LineRange } from "../search.ts";

type Props = { range: LineRange; onCopy: (range: LineRange) => Promise<void>; onClear: () => void };

/** Several lines are chosen, perhaps beyond what is on the screen: how many, and what can be done with them. */
export function ChosenLines({ range, onCopy, onClear }: Props) {
  return (
    <div className="fade-in pointer-events-auto flex items-center gap-2 rounded-panel border bg-surface-raised py-1 pr-1 pl-3 text-secondary tabular-nums shadow-float">
      <span>
        Lines {range.from.toLocaleString("en-GB")} to {range.to.toLocaleString("en-GB")}
      </span>
      <Button size="small" icon={<Copy />} onClick={() => void onCopy(range)}>
        Copy {(range.to - range.from + 1).toLocaleString("en-GB")} lines
      </Button>
      <IconButton size="small" label="Clear selection" onClick={onClear}>
        <X />
      </IconButton>
    </div>
  );
}
