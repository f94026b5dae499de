import Maximize2 from "lucide-react/icons/maximize-2";
import { useMemo, useState } from "react";
import { JsonActions, JsonView } from "../../../lib/json/JsonView.tsx";
import { isPlain } from "../../../lib/markdown/links.ts";
import { MarkdownProvider, MarkdownText, PlainText } from "../../../lib/markdown/MarkdownText.tsx";
import { counted, grouped } from "../../../lib/words.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { valueWord } from "../run-row.ts";

/** Outputs of a run, each in the form that it has; other forms are one click away. */
export function ValuesViewer({ values }: { values: Readonly<Record<string, unknown>> }) {
  return (
    <MarkdownProvider>
      <div className="-my-1.5">
        {Object.keys(values).map((name) => (
          <Value key={name} name={name} value={values[name]} />
        ))}
      </div>
    </MarkdownProvider>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const viewable = useMemo(() => viewsOf(value), [value]);
  const [picked, setPicked] = useState<ValueViewName | null>(null);
  const [isWide, setWide] = useState(false);
  const view = viewable.views.find((one) => one === picked) ?? viewable.views[0] ?? "text";
  const pick = viewable.views.length > 1 && (
    <Segmented
      label={`View ${name} as`}
      value={view}
      options={viewable.views.map((one) => ({ value: one, label: viewTitles[one] }))}
      onChange={setPicked}
    />
  );
  return (
    <section aria-label={name} className="py-1.5">
      <header className="flex min-h-6 items-center justify-between gap-2">
        <h3 className="min-w-0 truncate font-normal text-mono-narrow text-muted" title={name}>
          {name}
        </h3>
        <span className="flex shrink-0 items-center">
          <IconButton size="small" label={`Expand ${name}`} onClick={() => setWide(true)}>
            <Maximize2 />
          </IconButton>
          <JsonActions value={value} what={name} fileName={fileNameOf(name, value)} />
        </span>
      </header>
      {pick && <div className="pb-1.5">{pick}</div>}
      <div className={view === "tree" || view === "table" ? "max-h-80 overflow-auto" : undefined}>
        <Shown name={name} value={value} viewable={viewable} view={view} />
      </div>
      {isWide && (
        <Dialog
          onClose={() => setWide(false)}
          title={<code className="text-mono">{name}</code>}
          footer={pick || undefined}
        >
          <div className="max-h-[60dvh] overflow-auto">
            <Shown name={name} value={value} viewable={viewable} view={view} />
          </div>
        </Dialog>
      )}
    </section>
  );
}

type ShownProps = { name: string; value: unknown; viewable: Viewable; view: ValueViewName };

function Shown({ name, value, viewable, view }: ShownProps) {
  if (value === "") return <p className="text-faint">empty</p>;
  if (view === "table") return <RecordsTable label={name} rows={viewable.json} />;
  if (view === "tree") return <JsonView value={viewable.json} label={name} />;
  const text = typeof value === "string" ? value : "";
  return view === "markdown" ? <MarkdownText text={text} /> : <PlainText text={text} />;
}

/** Only letters, digits, dots and dashes: the name comes from whoever wrote the flow. */
const fileNameOf = (name: string, value: unknown): string =>
  `${name.slice(0, 80).replaceAll(/[^\w.-]+/g, "_") || "output"}.${typeof value === "string" ? "txt" : "json"}`;

/** Drawn at once; the rest by hundreds. */
const step = 100;
const mostColumns = 30;
const shownOfCell = 200;

/** A list of records as a table; a cell that a record does not have stays empty. */
function RecordsTable({ label, rows }: { label: string; rows: unknown }) {
  const [shown, setShown] = useState(step);
  if (!isTable(rows)) return null;
  const all = columnsOf(rows);
  const columns = all.slice(0, mostColumns);
  return (
    <>
      <table aria-label={label} className="border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 whitespace-nowrap border-b bg-surface py-1 pr-4 text-left font-normal text-mono-narrow text-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a record has no other identity than its place
            <tr key={at} className="hover:bg-surface-hover">
              {columns.map((column) => {
                const value = Object.hasOwn(row, column) ? row[column] : undefined;
                const word = valueWord(value);
                return (
                  <td
                    key={column}
                    title={word.length > 40 ? word.slice(0, 1_000) : undefined}
                    className={cx(
                      "max-w-60 truncate border-b py-1 pr-4 align-baseline",
                      typeof value === "number" && "text-right tabular-nums",
                    )}
                  >
                    {word.slice(0, shownOfCell)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <p className="pt-1.5 text-muted text-secondary">
          <button type="button" className={plainLinkClass} onClick={() => setShown(shown + step)}>
            {Math.min(step, rows.length - shown)} more
          </button>{" "}
          of {grouped(rows.length - shown)}
        </p>
      )}
      {all.length > columns.length && (
        <p className="pt-1 text-faint text-secondary">
          {counted(all.length - columns.length, "more column")}: shown as JSON
        </p>
      )}
    </>
  );
}

/** The ways in which a value can be shown; the first is the one that it begins with. */
type ValueViewName = "text" | "markdown" | "tree" | "table";

const viewTitles: Readonly<Record<ValueViewName, string>> = {
  text: "Text",
  markdown: "Markdown",
  tree: "JSON",
  table: "Table",
};

/** A text that is JSON is read only up to this length: reading holds up the page. */
const longestRead = 1_000_000;

/** A value as it can be shown: a text that is JSON is that JSON too. */
interface Viewable {
  readonly views: readonly ValueViewName[];
  /** What tree and table show. */
  readonly json: unknown;
}

/** How a value can be looked at (§2.2 says nothing of its form: any JSON). */
export function viewsOf(value: unknown): Viewable {
  if (typeof value !== "string") return { views: jsonViews(value), json: value };
  const json = readJson(value);
  if (json !== undefined) return { views: [...jsonViews(json), "text"], json };
  return { views: isPlain(value) ? ["text"] : ["markdown", "text"], json: undefined };
}

function jsonViews(value: unknown): readonly ValueViewName[] {
  return isTable(value) ? ["table", "tree"] : ["tree"];
}

function readJson(text: string): object | undefined {
  if (text.length > longestRead || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many rows are looked at to tell what a list is. */
const looked = 50;

/** A list of records, of which most share their fields. */
function isTable(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const rows = value.slice(0, looked);
  if (!rows.every((row) => row !== null && typeof row === "object" && !Array.isArray(row))) return false;
  const columns = columnsOf(rows);
  const cells = rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
  return columns.length > 0 && cells >= (columns.length * rows.length) / 2;
}

/** The fields of the first rows, in the order in which they come. */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return [...new Set(rows.slice(0, looked).flatMap((row) => Object.keys(row)))];
}
