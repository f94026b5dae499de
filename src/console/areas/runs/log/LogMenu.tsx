import ChevronDown from "lucide-react/icons/chevron-down";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { Button } from "../../../ui/Button.tsx";
import {
  Menu,
  MenuCheck,
  MenuChoice,
  MenuChoices,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from "../../../ui/Menu.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { NodeChecks } from "./LogFilters.tsx";
import type { TimeMode } from "./logTime.ts";
import type { LogOptions } from "./options.ts";

type Props = {
  log: RunLog;
  options: LogOptions;
  onOptions: (change: Partial<LogOptions>) => void;
  hasStart: boolean;
  onCopyAll: () => void;
  onSave: () => void;
};

const times: readonly { mode: TimeMode; word: string }[] = [
  { mode: "start", word: "Since start" },
  { mode: "local", word: "Local time" },
  { mode: "utc", word: "UTC" },
];
const levels = [
  { level: "all", word: "All lines" },
  { level: "warning", word: "Warnings" },
  { level: "error", word: "Errors" },
] as const;

/** How lines are shown; on phones also what stands beside it where there is room. */
export function LogMenu({ log, options, onOptions, hasStart, onCopyAll, onSave }: Props) {
  const isPhone = useMedia(phone);
  const { level, nodes, time, isWrapped, isPattern } = options;
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small">
          View
          <ChevronDown />
        </Button>
      }
    >
      <MenuCheck checked={isWrapped} onCheckedChange={(on) => onOptions({ isWrapped: on })}>
        Wrap long lines
      </MenuCheck>
      <MenuLabel>Times</MenuLabel>
      <MenuChoices value={time} onValueChange={(mode) => onOptions({ time: mode as TimeMode })}>
        {times.map(
          ({ mode, word }) =>
            (mode !== "start" || hasStart) && (
              <MenuChoice key={mode} value={mode}>
                {word}
              </MenuChoice>
            ),
        )}
      </MenuChoices>
      {isPhone && (
        <>
          <MenuLabel>Lines</MenuLabel>
          <MenuChoices
            value={level}
            onValueChange={(next) => onOptions({ level: next as LogOptions["level"] })}
          >
            {levels.map((one) => (
              <MenuChoice key={one.level} value={one.level}>
                {one.word}
              </MenuChoice>
            ))}
          </MenuChoices>
          {log.facts.names.length > 1 && (
            <>
              <MenuLabel>Nodes</MenuLabel>
              <NodeChecks names={log.facts.names} nodes={nodes} onOptions={onOptions} />
            </>
          )}
          <MenuSeparator />
          <MenuCheck checked={isPattern} onCheckedChange={(on) => onOptions({ isPattern: on })}>
            Search with a pattern
          </MenuCheck>
          <MenuSeparator />
          <MenuItem onSelect={onCopyAll}>Copy the whole log</MenuItem>
          <MenuItem onSelect={onSave}>Download the log</MenuItem>
        </>
      )}
    </Menu>
  );
}
