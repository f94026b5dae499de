import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { sanitizeJson } from "../../../api/sanitize-json.ts";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { MarkdownProvider, MarkdownText } from "../../../lib/markdown/MarkdownText.tsx";
import { counted } from "../../../lib/words.ts";
import { Switch } from "../../../ui/Choices.tsx";
import { cx } from "../../../ui/cx.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { ListFoot } from "../../../ui/Table.tsx";
import { type FileBytes, shownInvisible } from "../read-file.ts";
import { decode } from "../worker/tables.ts";
import { useOpenedFile, useRowsInView } from "./useOpenedFile.ts";
import { FileTroubled, Reading, type ViewProps, WithBytes } from "./view.tsx";

/** Text and code as they were written, with the numbers of their lines. */
export function LinesView(props: ViewProps) {
  return (
    <WithBytes {...props} isText>
      {({ bytes, isWhole }) => (
        <Lines bytes={bytes} label={props.name} isCode={props.kind === "code"} isCut={!isWhole} />
      )}
    </WithBytes>
  );
}

/** Markdown, laid out: no HTML in it, no pictures from elsewhere. */
export function MarkdownView(props: ViewProps) {
  return (
    <WithBytes {...props} isText>
      {({ bytes }) => (
        <section
          aria-label={`Text of ${props.name}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="focus-inset min-h-0 flex-1 overflow-auto py-5 pr-edge-right pl-edge-left"
        >
          <div className="max-w-text">
            <MarkdownProvider>
              <MarkdownText text={decode(bytes)} />
            </MarkdownProvider>
          </div>
        </section>
      )}
    </WithBytes>
  );
}

/** JSON as a tree; a text that is none, or too much of it, as it was written. */
export function JsonFileView(props: ViewProps) {
  return (
    <WithBytes {...props} isText>
      {(file) => <JsonTree file={file} name={props.name} />}
    </WithBytes>
  );
}

/** JSON above this is shown as it was written, in bytes: making a tree of it would hold the page up. */
const mostOfTree = 8_000_000;

function JsonTree({ file: { bytes, isWhole }, name }: { file: FileBytes; name: string }) {
  const isSmall = bytes.length <= mostOfTree;
  const parsed = useMemo(() => (isSmall ? parse(decode(bytes)) : null), [isSmall, bytes]);
  if (parsed === null) {
    return (
      <>
        <Notice kind="waits">
          {isSmall ? "This is not valid JSON. Shown as text." : "Too large for a tree. Shown as text."}
        </Notice>
        <Lines bytes={bytes} label={name} isCode isCut={!isWhole} />
      </>
    );
  }
  return (
    <section
      aria-label={`JSON of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-auto py-4 pr-edge-right pl-edge-left"
    >
      <JsonView value={parsed.value} label={name} />
    </section>
  );
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: sanitizeJson(JSON.parse(text), text) };
  } catch {
    return null;
  }
}

type LinesProps = {
  bytes: Uint8Array;
  /** What it is the text of, for those who listen. */
  label: string;
  /** Code keeps its lines; prose is broken where the view ends. */
  isCode: boolean;
  /** More was there than was read. */
  isCut?: boolean;
};

const lineHeight = 20;

/** A text of any length with numbered lines, of which only those in view exist as elements. */
export function Lines({ bytes, label, isCode, isCut = false }: LinesProps) {
  const { file, trouble } = useOpenedFile("lines", bytes);
  const [isWrapped, setWrapped] = useState(!isCode);
  const scroller = useRef<HTMLElement>(null);
  const facts = file?.sheets[0];
  const count = facts?.rows ?? 0;
  const lines = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    initialRect: { width: 800, height: 600 },
  });
  const items = lines.getVirtualItems();
  const { rowAt, isLost } = useRowsInView(file, 0, items);
  if (trouble || isLost) return <FileTroubled why={trouble ?? "no reader"} />;
  if (!facts) return <Reading />;
  const digits = Math.max(3, String(count).length);
  const widest = Math.min(facts.widths[0] ?? 0, 4_100);
  return (
    <>
      <section
        ref={scroller}
        aria-label={`Text of ${label}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-auto bg-surface-sunken py-2 text-mono [contain:strict]"
      >
        <ol
          className="relative"
          style={{
            height: `${lines.getTotalSize()}px`,
            ...(!isWrapped && { width: `calc(${widest + digits + 6}ch + 24px)`, minWidth: "100%" }),
          }}
        >
          {items.map(({ index, key, start }) => (
            <li
              key={key}
              ref={isWrapped ? lines.measureElement : undefined}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              className="absolute inset-x-0 flex min-h-5"
              style={{ top: `${start}px` }}
            >
              <span
                className="shrink-0 select-none pr-4 pl-edge-left text-right text-faint tabular-nums"
                style={{ width: `calc(${digits}ch + 36px)` }}
              >
                {index + 1}
              </span>
              <span
                dir="auto"
                className={cx(
                  "min-w-0 flex-1 pr-edge-right",
                  isWrapped ? "whitespace-pre-wrap break-words" : "whitespace-pre",
                )}
              >
                {shownInvisible(rowAt(index)?.[0] ?? "")}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <ListFoot
        keys={
          <Switch
            label="Wrap long lines"
            labelAt="before"
            checked={isWrapped}
            onChange={(event) => {
              setWrapped(event.target.checked);
              // Broken lines have other heights.
              lines.measure();
            }}
          />
        }
      >
        {counted(count, "line")}
        {(isCut || facts.isCut) && ", and more not loaded"}
      </ListFoot>
    </>
  );
}
