import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Regex from "lucide-react/icons/regex";
import { memo } from "react";
import { grouped } from "../../../lib/words.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { Switch } from "../../../ui/Choices.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { LogFilters, LogMenu } from "./LogFilters.tsx";
import type { LogOptions } from "./log-options.ts";
import type { LogSearch } from "./useLogSearch.ts";

type Props = {
  log: RunLog;
  /** Changes with what is told of the log here: it is drawn again for nothing else. */
  version: string;
  options: LogOptions;
  onOptions: (change: Partial<LogOptions>) => void;
  search: LogSearch;
  /** Whether times since the start can be told. */
  hasStart: boolean;
  isMoving: boolean;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  onCopyAll: () => void;
  onSave: () => void;
  /** From the search field to the lines. */
  onLeave: () => void;
};

/** The row above a log: search, filters, how it is shown, what to take along. On phones the rest is behind one menu. */
export const LogTools = memo(function LogTools(props: Props) {
  const { log, options, onOptions, search, isMoving, isFollowing, onFollow } = props;
  const noLines = log.length === 0 ? { disabledReason: "No lines yet" } : {};
  const noHits = search.hits.length === 0 ? { disabledReason: "No matches" } : {};
  return (
    <div className="flex flex-wrap items-center gap-2 border-b py-2 pr-edge-right pl-edge-left">
      <SearchInput
        label="Search the log"
        placeholder={options.isPattern ? "Search with a pattern" : "Search the log"}
        shortcut="/"
        data-page-search=""
        className="min-w-32 flex-1 sm:max-w-60"
        value={options.text}
        aria-invalid={search.problem === "no pattern" || search.problem === "too slow"}
        onText={(text) => onOptions({ text })}
        onKeyDown={(event) => {
          if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") props.onLeave();
        }}
        count={<span role="status">{countOf(search)}</span>}
      />
      <span className="hidden gap-0.5 sm:flex">
        <IconButton
          size="small"
          label="Use regular expression"
          aria-pressed={options.isPattern}
          variant={options.isPattern ? "plain" : "quiet"}
          onClick={() => onOptions({ isPattern: !options.isPattern })}
        >
          <Regex />
        </IconButton>
        <IconButton
          size="small"
          label="Previous match"
          shortcut="N"
          onClick={() => search.go(-1)}
          {...noHits}
        >
          <ChevronUp />
        </IconButton>
        <IconButton size="small" label="Next match" shortcut="n" onClick={() => search.go(1)} {...noHits}>
          <ChevronDown />
        </IconButton>
      </span>
      <LogFilters log={log} options={options} onOptions={onOptions} />
      <span className="flex-1 max-sm:hidden" />
      {isMoving && (
        <Switch
          label="Follow"
          labelAt="before"
          className="text-muted text-secondary"
          checked={isFollowing}
          onChange={(event) => onFollow(event.target.checked)}
        />
      )}
      <LogMenu {...props} />
      <span className="hidden sm:flex">
        <IconButton size="small" label="Copy log" onClick={props.onCopyAll} {...noLines}>
          <Copy />
        </IconButton>
        <IconButton size="small" label="Download log" onClick={props.onSave} {...noLines}>
          <Download />
        </IconButton>
      </span>
    </div>
  );
});

function countOf({ hits, at, isSearching, problem }: LogSearch): string {
  if (problem === "no pattern") return "invalid pattern";
  if (problem === "too slow") return "took too long";
  if (problem === "failed") return "search failed";
  if (hits.length === 0) return isSearching ? "…" : "none";
  const counted = grouped(hits.length);
  return `${grouped(at + 1)} of ${counted}${isSearching ? "…" : ""}`;
}
