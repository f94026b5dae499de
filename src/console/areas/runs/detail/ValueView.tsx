import { useState } from "react";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { plainLinkClass } from "../../../ui/linkClass.ts";

/** More than this is shown only when asked for: a value may be megabytes long. */
const shownAtOnce = 2_000;
const shownAtMost = 200_000;

/** One input or output: its name, its value as text or as JSON, and a button that copies all of it. */
export function ValueView({ name, value }: { name: string; value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value, null, 2);
  const shown = text.slice(0, isWhole ? shownAtMost : shownAtOnce);
  return (
    <div className="py-1.5">
      <div className="flex h-6 items-center justify-between gap-2">
        <span className="truncate text-mono-narrow text-muted" title={name}>
          {name}
        </span>
        <CopyButton text={text} what={name} look="inline" />
      </div>
      {text === "" ? (
        <p className="text-faint">an empty text</p>
      ) : isText ? (
        <p className="whitespace-pre-wrap break-words" dir="auto">
          {shown}
        </p>
      ) : (
        <pre className="overflow-x-auto rounded-tag bg-surface-sunken px-2 py-1.5 text-mono-json">
          {shown}
        </pre>
      )}
      {shown.length < text.length && (
        <p className="pt-1 text-muted text-secondary">
          {(text.length - shown.length).toLocaleString("en-GB")} more characters.{" "}
          {isWhole ? (
            "Copy it to read the rest."
          ) : (
            <button type="button" className={plainLinkClass} onClick={() => setWhole(true)}>
              Show more
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Names and values of a whole record, in the order that they came. */
export function Values({ values }: { values: Readonly<Record<string, unknown>> }) {
  return (
    <div className="-my-1.5">
      {Object.keys(values).map((name) => (
        <ValueView key={name} name={name} value={values[name]} />
      ))}
    </div>
  );
}
