import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { counted, grouped } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { NativeSelect } from "../../../ui/Field.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { type FileBytes, shownInvisible } from "../read-file.ts";
import type { OpenedFile } from "../worker/file-client.ts";
import { useOpenedFile, useRowsInView } from "./useOpenedFile.ts";
import { Empty, FileTroubled, Reading, type ViewProps, WithBytes } from "./view.tsx";

/** CSV, TSV and workbooks as a grid, with values as they are in the file. */
export function TableView(props: ViewProps) {
  return <WithBytes {...props}>{(read) => <Opened {...props} read={read} />}</WithBytes>;
}

function Opened({ name, kind, page, onPage, download, read }: ViewProps & { read: FileBytes }) {
  const { file, trouble } = useOpenedFile(kind === "xlsx" ? "workbook" : "table", read.bytes);
  if (trouble) return <FileTroubled why={trouble}>{download}</FileTroubled>;
  if (!file) return <Reading />;
  const sheet = Math.min(Math.max(1, page ?? 1), Math.max(1, file.sheets.length)) - 1;
  return (
    <>
      {file.sheets.length > 1 && (
        <div className="flex min-h-filters shrink-0 items-center gap-2 border-b py-2 pr-edge-right pl-edge-left">
          <Sheets file={file} sheet={sheet} onPick={(picked) => onPage(picked + 1)} />
        </div>
      )}
      <Grid key={sheet} file={file} sheet={sheet} label={name} isCut={!read.isWhole} download={download} />
    </>
  );
}

function Sheets({
  file,
  sheet,
  onPick,
}: {
  file: OpenedFile;
  sheet: number;
  onPick: (sheet: number) => void;
}) {
  const options = file.sheets.map(({ name }, at) => ({
    value: String(at),
    label: name || `Sheet ${at + 1}`,
  }));
  if (options.length > 4) {
    return (
      <NativeSelect
        look="small"
        aria-label="Sheet"
        value={String(sheet)}
        onChange={(event) => onPick(Number(event.target.value))}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
    );
  }
  return (
    <Segmented
      label="Sheet"
      options={options}
      value={String(sheet)}
      onChange={(picked) => onPick(Number(picked))}
    />
  );
}

const rowHeight = 28;
const headHeight = 30;
const character = 7.2;
const widthOf = (characters: number): number => Math.min(360, Math.max(72, characters * character + 26));

type GridProps = Pick<ViewProps, "download"> & {
  file: OpenedFile;
  sheet: number;
  label: string;
  isCut: boolean;
};

/** A sheet of any size; only the cells in view exist as elements. */
function Grid({ file, sheet, label, isCut, download }: GridProps) {
  const scroller = useRef<HTMLElement>(null);
  const facts = file.sheets[sheet];
  const rows = useVirtualizer({
    count: facts?.rows ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: headHeight,
    initialRect: { width: 1000, height: 600 },
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: facts?.header.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => widthOf(facts?.widths[column] ?? 0),
    overscan: 3,
    initialRect: { width: 1000, height: 600 },
  });
  const items = rows.getVirtualItems();
  const { rowAt, isLost } = useRowsInView(file, sheet, items);
  if (isLost) return <FileTroubled why="no reader">{download}</FileTroubled>;
  if (!facts) return <Empty />;
  const count = facts.rows + 1;
  const gutter = String(count).length * 8 + 32;
  const shown = columns.getVirtualItems();
  const width = gutter + columns.getTotalSize();
  const { range } = rows;
  return (
    <>
      <section
        ref={scroller}
        aria-label={`Table of ${label}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-auto [contain:strict]"
      >
        {/* Laid out by hand, because only what is in view exists: all of it is a block. */}
        <table
          aria-label={label}
          aria-rowcount={count}
          aria-colcount={facts.header.length}
          className="relative block"
          style={{ height: `${rows.getTotalSize()}px`, width: `${width}px`, minWidth: "100%" }}
        >
          <thead className="sticky top-0 z-sticky block">
            <tr
              aria-rowindex={1}
              className="relative block border-b bg-surface-sunken"
              style={{ height: `${headHeight}px` }}
            >
              <th
                scope="col"
                className="sticky left-0 z-sticky block h-full border-r bg-surface-sunken"
                style={{ width: `${gutter}px` }}
              >
                <span className="sr-only">Row</span>
              </th>
              {shown.map(({ index, start, size }) => (
                <th
                  key={index}
                  scope="col"
                  aria-colindex={index + 1}
                  title={facts.header[index]}
                  className={cx(
                    "absolute top-0 block truncate border-r px-2.5 text-left font-medium text-muted text-secondary leading-[29px]",
                    facts.isFigure[index] && "text-right!",
                  )}
                  style={{ left: `${gutter + start}px`, width: `${size}px` }}
                >
                  {shownInvisible(facts.header[index] ?? "")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block">
            {items.map((row) => {
              const cells = rowAt(row.index);
              return (
                <tr
                  key={row.key}
                  aria-rowindex={row.index + 2}
                  className="absolute right-0 block left-0 border-b hover:bg-surface-hover"
                  style={{ top: `${row.start}px`, height: `${rowHeight}px` }}
                >
                  <th
                    scope="row"
                    className="sticky left-0 block h-full select-none border-r bg-surface-sunken pr-2.5 text-right font-normal text-faint text-secondary leading-[27px] tabular-nums"
                    style={{ width: `${gutter}px` }}
                  >
                    {row.index + 2}
                  </th>
                  {shown.map(({ index, start, size }) => (
                    <Cell
                      key={index}
                      column={index}
                      left={gutter + start}
                      width={size}
                      text={cells?.[index] ?? ""}
                      isFigure={facts.isFigure[index] === true}
                    />
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <ListFoot keys="Values are shown as stored, not rounded">
        {facts.rows === 0
          ? "No rows"
          : `Rows ${grouped((range?.startIndex ?? 0) + 2)} to ${grouped(Math.min(count, (range?.endIndex ?? 0) + 2))} of ${grouped(count)}`}
        <span className="ml-4">{counted(facts.header.length, "column")}</span>
        {(isCut || facts.isCut) && ", and more that is not shown"}
      </ListFoot>
    </>
  );
}

type CellProps = { column: number; left: number; width: number; text: string; isFigure: boolean };

/** Ids and dates read best in mono; words in the font of words. */
const coded = /^[A-Z0-9]+(?:[-_./:][A-Z0-9]+)+$/i;

function Cell({ column, left, width, text, isFigure }: CellProps) {
  return (
    <td
      aria-colindex={column + 1}
      title={text.length * character > width - 20 ? text.slice(0, 1_000) : undefined}
      dir="auto"
      className={cx(
        "absolute top-0 block truncate border-r px-2.5 leading-[27px]",
        isFigure
          ? "text-right tabular-nums"
          : coded.test(text)
            ? "text-left font-mono text-[12px]"
            : "text-left",
      )}
      style={{ left: `${left}px`, width: `${width}px`, height: `${rowHeight - 1}px` }}
    >
      {shownInvisible(text)}
    </td>
  );
}
