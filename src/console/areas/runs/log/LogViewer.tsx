import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { plainText } from "../../../lib/ansi.ts";
import { useNamedKeys } from "../../../lib/page/shortcuts.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { useTimeReader } from "../../../lib/time/clock.tsx";
import { grouped } from "../../../lib/words.ts";
import { useToast } from "../../../ui/Toast.tsx";
import type { LineAddress, LogAddress } from "../search.ts";
import { copyEvent, saveLog, useCopyLines } from "./copy.ts";
import { LogLines } from "./LogLines.tsx";
import { LongLine, NewLines, ReplacedLines, SelectedLines, useSpokenNews } from "./LogNotices.tsx";
import { LogTools } from "./LogTools.tsx";
import { readLine } from "./line.ts";
import { logKeyNames, logKeys } from "./log-keys.ts";
import { logTime, timeColumn, useLineSelection, useLogOptions } from "./log-options.ts";
import { useAddressedLine } from "./useAddressedLine.ts";
import { useFollowing } from "./useFollowing.ts";
import type { LogLinesHandle } from "./useLineScroll.ts";
import { type LogSource, useLogSearch } from "./useLogSearch.ts";
import { useOpening } from "./useOpening.ts";
import { useLogView } from "./useRunLog.ts";

type Props = {
  source: LogSource;
  /** The file name of a download, without its ending. */
  name: string;
  /** When the run began, ms since 1970; null where it is not known: then times are clock times. */
  startedAt: number | null;
  /** The run was read: until then nothing is known of it, and the viewer stands ready without lines. */
  isRead: boolean;
  /** More lines may come. */
  isMoving: boolean;
  /** The lines of the address: `12` or `12-40`. */
  line: LineAddress | undefined;
  /** Rises each time that the line of the address is asked for: also where it is the one that it was. */
  asked?: number;
  /** The run has failed; `firstError`: its first line of an error, 1-based, once that is known. */
  hasFailed?: boolean;
  firstError?: number | undefined;
  /** What is shown of it by the address, and what puts that there. */
  filter: LogAddress;
  onFilter: (filter: LogAddress) => void;
  /** Puts lines into the address. */
  onLine: (line: LineAddress | undefined) => void;
  /** What stands where there are no lines. */
  empty: ReactNode;
};

/** The log of a run: follows while lines come, never moves what is being read, and names every line by an address. */
export const LogViewer = memo(function LogViewer(props: Props) {
  const { source, name, startedAt, isRead, isMoving, line, asked = 0, onLine, empty } = props;
  const { hasFailed = false, firstError, filter, onFilter } = props;
  const { zone, now } = useTimeReader();
  const toaster = useToast();
  const { log } = source;
  const [options, change] = useLogOptions(filter, onFilter);
  const { level, nodes, isPattern, isWrapped } = options;
  const view = useLogView(
    log,
    useMemo(() => ({ level, nodes }), [level, nodes]),
    isRead,
  );
  const length = isRead ? log.length : 0;
  const { facts } = log;
  const text = useDeferredValue(options.text.trim());
  const search = useLogSearch(source, text, isPattern, view.isFiltered ? view.shows : null);
  const hit = search.hits[search.at];
  const selection = useLineSelection(line, onLine);
  const lines = useRef<LogLinesHandle>(null);
  /** How high the lines will be, so that no row is made for nobody. */
  const room = useRef(0);
  const { isFollowing, setFollowing, follow, unread } = useFollowing(lines, {
    ...{ log, isRead, isMoving, isAtLine: line !== undefined },
  });
  const [whole, setWhole] = useState<number>();
  const { keys } = usePreferences();
  useNamedKeys("In the log", useRef(logKeyNames));
  const copy = useCopyLines(log);
  const spoken = useSpokenNews(log, isRead, isMoving);
  const time = useMemo(
    () => logTime(options.time, startedAt, { zone, now }),
    [options.time, startedAt, zone, now],
  );

  useEffect(() => {
    if (hit === undefined) return;
    setFollowing(false);
    lines.current?.show(hit + 1);
  }, [hit, setFollowing]);

  const missing = useAddressedLine(lines, {
    ...{ line, asked, view, isMoving, setFollowing },
    ...{ number: selection.range?.from, length, understood: facts.length, onOptions: change },
  });
  useOpening(lines, {
    isRead,
    hasFailed,
    firstError: firstError !== undefined && view.shows(firstError - 1) ? firstError : undefined,
    isElsewhere: selection.range !== undefined || text !== "",
  });

  const select = useCallback(
    (number: number, isRange: boolean) => {
      setFollowing(false);
      selection.select(number, isRange);
      lines.current?.focus();
    },
    [selection.select, setFollowing],
  );
  const copyAll = useCallback(() => void copy({ from: 1, to: log.length }), [copy, log]);
  const save = useCallback(() => {
    const failed = () => toaster.show({ tone: "failed", title: "The log could not be downloaded" });
    saveLog(log, name).catch(failed);
  }, [log, name, toaster]);
  const leave = useCallback(() => lines.current?.focus(), []);
  const isUnderstood = facts.length >= length;
  const head = selection.head === undefined ? undefined : log.getLines(selection.head - 1, 1)[0];
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <LogTools
        log={log}
        version={`${length > 0} ${log.replacements} ${facts.names.length}`}
        options={options}
        onOptions={change}
        search={search}
        hasStart={startedAt !== null}
        isMoving={isMoving}
        isFollowing={isFollowing}
        onFollow={follow}
        onCopyAll={copyAll}
        onSave={save}
        onLeave={leave}
      />
      <ReplacedLines replacements={log.replacements} />
      {missing !== undefined && (
        <p role="status" className="border-b py-1 pr-edge-right pl-edge-left text-muted text-secondary">
          This log has no line {grouped(missing)}. It ends with line {grouped(length)}.
        </p>
      )}
      {!isRead || view.count === 0 ? (
        <NoLines isRead={isRead} room={room}>
          {length === 0 ? empty : isUnderstood ? "No matching lines." : "Filtering lines…"}
        </NoLines>
      ) : (
        <LogLines
          log={log}
          view={view}
          time={time}
          timeColumn={timeColumn(time, startedAt)}
          isWrapped={isWrapped}
          isFollowing={isFollowing && isMoving}
          onFollow={isMoving ? follow : ignore}
          selected={selection.range}
          onSelect={select}
          onWhole={setWhole}
          onKeyDown={logKeys({
            ...{ view, length, selection, search, lines },
            onFollow: isMoving ? follow : ignore,
            hasLetters: keys === "on",
          })}
          onCopy={(event) => copyEvent(event, selection.range, log, view, copy)}
          marked={isPattern ? "" : text}
          hits={search.hits}
          isPattern={isPattern}
          currentHit={hit === undefined ? undefined : hit + 1}
          firstError={firstError}
          handle={lines}
          height={room.current}
        />
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-3 z-sticky flex flex-col items-center gap-2">
        {unread > 0 && <NewLines count={unread} onFollow={() => follow(true)} />}
        {selection.range && selection.range.to > selection.range.from && (
          <SelectedLines range={selection.range} onCopy={copy} onClear={selection.clear} />
        )}
      </div>
      <span role="status" className="sr-only">
        {spoken}
      </span>
      <span role="status" className="sr-only">
        {head !== undefined && `Line ${selection.head}: ${plainText(readLine(head).text.slice(0, 300))}`}
      </span>
      {whole !== undefined && (
        <LongLine
          raw={log.getLines(whole - 1, 1)[0] ?? ""}
          number={whole}
          onClose={() => setWhole(undefined)}
        />
      )}
    </div>
  );
});

/** What stands where lines would, as high as they will be. @param room told how high that is */
function NoLines({
  isRead,
  room,
  children,
}: {
  isRead: boolean;
  room: RefObject<number>;
  children: ReactNode;
}) {
  return (
    <div
      ref={(element) => {
        if (element) room.current = element.clientHeight;
      }}
      className="flex-1 bg-surface-sunken py-3 pr-edge-right pl-edge-left text-muted"
    >
      {!isRead && (
        // The letters of the lines are fetched before there are any, or the first lines would be laid out twice.
        <span aria-hidden="true" className="invisible absolute text-mono">
          0
        </span>
      )}
      {children}
    </div>
  );
}

const ignore = () => {};
