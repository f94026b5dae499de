import ArrowDown from "lucide-react/icons/arrow-down";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { copyText } from "../../ui/copyText.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { SearchInput } from "../../ui/SearchInput.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { useToast } from "../../ui/toastContext.ts";
import type { RunLog } from "../../workers/run-log.ts";
import { usePreferences } from "../preferences/preferences.tsx";
import { LogLines, type LogLinesHandle } from "./LogLines.tsx";
import { logTime, type TimeMode } from "./logTime.ts";
import { saveLog } from "./saveLog.ts";
import type { LogSource } from "./source.ts";
import { useLogLength } from "./useLogLength.ts";
import { useLogSearch } from "./useLogSearch.ts";

type Props = {
  source: LogSource;
  /** The file name of a download, without its ending. */
  name: string;
  /** When the run began, ms since 1970; null where it is not known: then times are clock times. */
  startedAt: number | null;
  /** More lines may come. */
  isMoving: boolean;
  /** 1-based line of the address. */
  line: number | undefined;
  /** Puts a line into the address. */
  onLine: (line: number | undefined) => void;
  /** What stands where there are no lines yet. */
  empty: ReactNode;
};

/** The log of a run: follows while lines come, never moves what is being read, and names every line by an address. */
export function LogViewer({ source, name, startedAt, isMoving, line, onLine, empty }: Props) {
  const { zone } = usePreferences();
  const length = useLogLength(source.log);
  const lines = useRef<LogLinesHandle>(null);
  const [isFollowing, setFollowing] = useState(line === undefined && isMoving);
  const [isWrapped, setWrapped] = useState(true);
  const [mode, setMode] = useState<TimeMode>("start");
  const [text, setText] = useState("");
  const search = useLogSearch(source, length, text);
  const [readTo, setReadTo] = useState(length);
  const hit = search.hits[search.at];

  const follow = useCallback(
    (isOn: boolean) => {
      setFollowing(isOn);
      setReadTo(source.log.length);
      if (isOn) lines.current?.toEnd();
    },
    [source],
  );
  useEffect(() => {
    if (hit === undefined) return;
    setFollowing(false);
    lines.current?.show(hit + 1);
  }, [hit]);

  const unread = isFollowing ? 0 : Math.max(0, length - readTo);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b py-2 pr-edge-right pl-edge-left">
        <SearchInput
          label="Search the log"
          placeholder="Search the log"
          shortcut="/"
          data-page-search=""
          className="min-w-32 flex-1 sm:w-52 sm:flex-none"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1);
            if (event.key === "Escape" && text !== "") {
              event.stopPropagation();
              setText("");
            }
          }}
          count={search.hits.length === 0 ? "none" : `${search.at + 1} of ${search.hits.length}`}
        />
        <span className="hidden gap-1 sm:flex">
          <IconButton
            size="small"
            label="Previous hit"
            onClick={() => search.go(-1)}
            {...offWithout(search.hits)}
          >
            <ChevronUp />
          </IconButton>
          <IconButton size="small" label="Next hit" onClick={() => search.go(1)} {...offWithout(search.hits)}>
            <ChevronDown />
          </IconButton>
        </span>
        <span className="flex-1 max-sm:hidden" />
        {startedAt !== null && (
          <Segmented
            label="Times"
            className="max-sm:hidden"
            options={[
              { value: "start", label: "Since start" },
              { value: "clock", label: zone === "utc" ? "UTC" : "Clock" },
            ]}
            value={mode}
            onChange={setMode}
          />
        )}
        <Switch
          label="Wrap"
          labelAt="before"
          className="text-muted text-secondary max-sm:hidden"
          checked={isWrapped}
          onChange={(event) => setWrapped(event.target.checked)}
        />
        {isMoving && (
          <Switch
            label="Follow"
            labelAt="before"
            className="text-muted text-secondary"
            checked={isFollowing}
            onChange={(event) => follow(event.target.checked)}
          />
        )}
        <CopyAll log={source.log} length={length} />
        <IconButton
          size="small"
          label="Download the log"
          className="max-sm:hidden"
          onClick={() => saveLog(source.log, name)}
          disabledReason={length === 0 ? "There are no lines yet" : undefined}
        >
          <Download />
        </IconButton>
      </div>
      {length === 0 ? (
        <div className="flex-1 bg-surface-sunken py-3 pr-edge-right pl-edge-left text-muted">{empty}</div>
      ) : (
        <LogLines
          // A replaced log is another log: nothing measured of the old one holds.
          key={source.log.replacements}
          log={source.log}
          count={length}
          time={logTime(mode, startedAt, zone)}
          isWrapped={isWrapped}
          isFollowing={isFollowing && isMoving}
          onFollow={isMoving ? follow : ignore}
          marked={line}
          onPick={(number) => onLine(number === line ? undefined : number)}
          search={text.trim()}
          currentHit={hit === undefined ? undefined : hit + 1}
          handle={lines}
        />
      )}
      {unread > 0 && (
        <button
          type="button"
          onClick={() => follow(true)}
          className="fade-in absolute bottom-3 left-1/2 z-sticky flex h-7 -translate-x-1/2 items-center gap-2 rounded-full bg-surface-inverse px-3.5 font-medium text-inverse text-secondary tabular-nums shadow-float"
        >
          <ArrowDown className="size-3.5" />
          {unread === 1 ? "1 new line" : `${unread.toLocaleString("en-GB")} new lines`}
        </button>
      )}
    </div>
  );
}

const ignore = () => {};
const offWithout = (hits: readonly number[]) =>
  hits.length === 0 ? { disabledReason: "No line has a hit" } : {};

/** Copies what a clipboard takes; a longer log is for the download. */
const mostCopied = 50_000;

function CopyAll({ log, length }: { log: RunLog; length: number }) {
  const toaster = useToast();
  if (length === 0 || length > mostCopied) return null;
  const copy = async () => {
    const isCopied = await copyText(log.getLines(0, length).join("\n"));
    toaster.show(
      isCopied
        ? { tone: "done", title: `Copied ${length.toLocaleString("en-GB")} lines` }
        : { tone: "failed", title: "The log could not be copied", detail: "Download it instead." },
    );
  };
  return (
    <IconButton size="small" label="Copy the whole log" className="max-sm:hidden" onClick={copy}>
      <Copy />
    </IconButton>
  );
}
