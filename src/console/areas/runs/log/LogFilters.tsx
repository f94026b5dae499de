import ChevronDown from "lucide-react/icons/chevron-down";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { grouped } from "../../../lib/words.ts";
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
import { Segmented } from "../../../ui/Segmented.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { type LogOptions, noNodes, type TimeMode } from "./log-options.ts";
import { useLogValue } from "./useRunLog.ts";

type Props = {
  log: RunLog;
  options: LogOptions;
  onOptions: (change: Partial<LogOptions>) => void;
};

/** Longer lists are for the search. */
const mostNodes = 100;

/**
 * Which lines are shown: those of some nodes, warnings, errors. Hears by itself of counts that rise, so that they draw
 * nothing else again.
 */
export function LogFilters({ log, options, onOptions }: Props) {
  useLogValue(log, ({ replacements, facts }) =>
    [replacements, facts.names.length, facts.warnings, facts.errors].join(" "),
  );
  const { names, warnings, errors } = log.facts;
  const { nodes, level } = options;
  return (
    <span className="hidden gap-2 sm:flex">
      {(names.length > 1 || nodes.size > 0) && (
        <Menu
          trigger={
            <Button size="small">
              {nodes.size === 0 ? "Nodes" : nodes.size === 1 ? [...nodes][0] : `${nodes.size} nodes`}
              <ChevronDown />
            </Button>
          }
        >
          <NodeChecks names={names} nodes={nodes} onOptions={onOptions} />
        </Menu>
      )}
      {(warnings > 0 || errors > 0 || level !== "all") && (
        <Segmented
          label="Lines"
          options={[
            { value: "all", label: "All" },
            { value: "warning", label: `Warnings ${grouped(warnings)}` },
            { value: "error", label: `Errors ${grouped(errors)}` },
          ]}
          value={level}
          onChange={(next) => onOptions({ level: next })}
        />
      )}
    </span>
  );
}

/** A tick for each node; all of them without a tick. */
function NodeChecks({
  names,
  nodes,
  onOptions,
}: Pick<LogOptions, "nodes"> & Pick<Props, "onOptions"> & { names: readonly string[] }) {
  const toggle = (name: string) => {
    const next = new Set(nodes);
    if (!next.delete(name)) next.add(name);
    onOptions({ nodes: next });
  };
  return (
    <>
      {nodes.size > 0 && (
        <>
          <MenuItem onSelect={() => onOptions({ nodes: noNodes })}>All nodes</MenuItem>
          <MenuSeparator />
        </>
      )}
      {names.slice(0, mostNodes).map((name) => (
        <MenuCheck key={name} checked={nodes.has(name)} onCheckedChange={() => toggle(name)}>
          {name}
        </MenuCheck>
      ))}
    </>
  );
}

type LogMenuProps = {
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
export function LogMenu({ log, options, onOptions, hasStart, onCopyAll, onSave }: LogMenuProps) {
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
            Search with a regular expression
          </MenuCheck>
          <MenuSeparator />
          <MenuItem onSelect={onCopyAll}>Copy log</MenuItem>
          <MenuItem onSelect={onSave}>Download log</MenuItem>
        </>
      )}
    </Menu>
  );
}
