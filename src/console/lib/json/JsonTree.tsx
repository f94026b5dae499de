import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { cx } from "../../ui/cx.ts";
import { plainLinkClass } from "../../ui/textClass.ts";
import { type Find, Marked, noFind } from "../markdown/Marked.tsx";
import { counted, grouped } from "../words.ts";
import { kindWord, preview } from "./measure.ts";

/** At most so many entries of a list are drawn at once, however long it is. */
const step = 100;
const shownOfText = 300;
const mostOfText = 20_000;

/** A JSON value as a tree. Only what is opened is looked at, so its size does not matter. */
export function JsonTree({ value, label = "JSON" }: { value: unknown; label?: string }) {
  return (
    <ul aria-label={label} className="overflow-x-auto text-mono-json">
      <Entry name={null} value={value} isOpenAtFirst />
    </ul>
  );
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === "object";
}

function Entry({
  name,
  value,
  isOpenAtFirst = false,
}: {
  name: string | null;
  value: unknown;
  isOpenAtFirst?: boolean;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  if (!isContainer(value)) {
    return (
      <li className="flex gap-1.5 pl-[18px]">
        {name !== null && <Name name={name} />}
        <Leaf value={value} />
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex max-w-full items-center gap-1 rounded-tag text-left hover:bg-surface-hover"
      >
        <ChevronRight className={cx("text-muted", isOpen && "rotate-90")} />
        {name !== null && <Name name={name} />}
        <span className="truncate text-muted">
          {Array.isArray(value) ? "[" : "{"} {kindWord(value)}
          {!isOpen && <span className="text-faint"> {preview(value, 80)}</span>}{" "}
          {Array.isArray(value) ? "]" : "}"}
        </span>
      </button>
      {isOpen && <Entries value={value} />}
    </li>
  );
}

function Entries({ value }: { value: object }) {
  const [shown, setShown] = useState(step);
  const isList = Array.isArray(value);
  const keys = isList ? null : Object.keys(value);
  const count = keys ? keys.length : (value as readonly unknown[]).length;
  const names = keys
    ? keys.slice(0, shown)
    : Array.from({ length: Math.min(shown, count) }, (_, at) => String(at));
  return (
    <ul className="ml-[6px] border-l pl-2">
      {names.map((name) => (
        <Entry key={name} name={name} value={(value as Record<string, unknown>)[name]} />
      ))}
      {count > shown && (
        <li className="pl-[18px] font-text text-muted text-secondary">
          <button type="button" className={plainLinkClass} onClick={() => setShown(shown + step)}>
            {Math.min(step, count - shown)} more
          </button>{" "}
          of {grouped(count - shown)}
        </li>
      )}
    </ul>
  );
}

function Name({ name }: { name: string }) {
  return (
    <span
      className="max-w-60 shrink-0 truncate text-muted"
      title={name.length > 24 ? name.slice(0, 500) : undefined}
    >
      {name.slice(0, 200)}:
    </span>
  );
}

function Leaf({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== "string") return <span className="text-ansi-blue">{String(value)}</span>;
  const shown = value.slice(0, isWhole ? mostOfText : shownOfText);
  return (
    <span dir="auto" className="min-w-0 whitespace-pre-wrap break-words text-ansi-green">
      "{shown}"
      {shown.length < value.length && (
        <span className="font-text text-muted text-secondary">
          {" "}
          {counted(value.length - shown.length, "more character")}
          {!isWhole && (
            <>
              .{" "}
              <button type="button" className={plainLinkClass} onClick={() => setWhole(true)}>
                Show more
              </button>
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** A token of JSON: a key, a text, another value, or punctuation. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([^"\d\w-]+|.)/gs;

/** JSON as it was written, with its parts in colour. Only for short texts: JsonTree is for the others. */
export function JsonText({ text, find = noFind }: { text: string; find?: Find }) {
  const parts = [...text.matchAll(token)];
  return parts.map(([whole, quoted, colon, bare], at) => {
    if (quoted !== undefined && colon === undefined) {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
        <span key={at} className="text-ansi-green">
          <Marked text={quoted} find={find} />
        </span>
      );
    }
    if (bare !== undefined) {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
        <span key={at} className="text-ansi-blue">
          <Marked text={bare} find={find} />
        </span>
      );
    }
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text never move
    return <Marked key={at} text={whole} find={find} />;
  });
}

/** JSON on few lines: short lists and records stay on one line, as people write them. Only for small values. */
export function compactJson(value: unknown, width = 78, indent = ""): string {
  const line = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, " ") ?? "null";
  if (line.length + indent.length <= width || value === null || typeof value !== "object") return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((one) => compactJson(one, width, inner))
    : Object.keys(value).map(
        (key) =>
          `${JSON.stringify(key)}: ${compactJson((value as Record<string, unknown>)[key], width - key.length - 4, inner)}`,
      );
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const isShort = !item.includes("\n") && last !== undefined && !last.includes("\n");
    if (isShort && `${inner}${last}, ${item}`.length <= width) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(item);
  }
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return `${open} ${lines.join(`,\n${inner}`)} ${close}`;
}
