import Maximize2 from "lucide-react/icons/maximize-2";
import { useMemo, useState } from "react";
import { JsonActions } from "../../../lib/json/JsonActions.tsx";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { MarkdownProvider } from "../../../lib/markdown/MarkdownProvider.tsx";
import { MarkdownText, PlainText } from "../../../lib/markdown/MarkdownText.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { RecordsTable } from "./RecordsTable.tsx";
import { type ValueViewName, type Viewable, viewsOf, viewTitles } from "./views.ts";

/** Outputs of a run, each in the form that it has; other forms are one click away. */
export default function ValuesViewer({ values }: { values: Readonly<Record<string, unknown>> }) {
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
      label={`How ${name} is shown`}
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
          <IconButton size="small" label={`Show ${name} wide`} onClick={() => setWide(true)}>
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
          isOpen
          onOpenChange={setWide}
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
  if (value === "") return <p className="text-faint">an empty text</p>;
  if (view === "table") return <RecordsTable label={name} rows={viewable.json} />;
  if (view === "tree") return <JsonView value={viewable.json} label={name} />;
  const text = typeof value === "string" ? value : "";
  return view === "markdown" ? <MarkdownText text={text} /> : <PlainText text={text} />;
}

/** Only letters, digits, dots and dashes: the name comes from whoever wrote the flow. */
const fileNameOf = (name: string, value: unknown): string =>
  `${name.slice(0, 80).replaceAll(/[^\w.-]+/g, "_") || "output"}.${typeof value === "string" ? "txt" : "json"}`;
