import ChevronDown from "lucide-react/icons/chevron-down";
import { useCallback, useSyncExternalStore } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Menu, MenuCheck, MenuItem, MenuSeparator } from "../../../ui/Menu.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { type LogOptions, noNodes } from "./options.ts";

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
  useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    () => `${log.replacements} ${log.facts.names.length} ${log.facts.warnings} ${log.facts.errors}`,
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
            { value: "warning", label: `Warnings ${warnings.toLocaleString("en-GB")}` },
            { value: "error", label: `Errors ${errors.toLocaleString("en-GB")}` },
          ]}
          value={level}
          onChange={(next) => onOptions({ level: next })}
        />
      )}
    </span>
  );
}

/** A tick for each node; all of them without a tick. */
export function NodeChecks({
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
