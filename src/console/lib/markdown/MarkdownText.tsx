import { createContext, type ReactNode, use, useEffect, useReducer, useRef, useState } from "react";
import { systemClock } from "../../api/clock.ts";
import { plainLinkClass } from "../../ui/textClass.ts";
import { useApi } from "../api.tsx";
import { useGoneSignal } from "../useGoneSignal.ts";
import { counted } from "../words.ts";
import { isPlain, paragraphsOf } from "./links.ts";
import { MarkdownTree } from "./MarkdownTree.tsx";
import { type Find, Marked, noFind } from "./Marked.tsx";
import { createMarkdownReader, type MarkdownReader, type MarkdownResult } from "./worker/markdown-client.ts";

/** More than this of a plain text is shown only when asked for. */
const shownAtOnce = 20_000;
const step = 100_000;

/** Somebody else's words as markdown: no HTML, no pictures from elsewhere, no addresses but http and https. */
export function MarkdownText({ text, find = noFind }: { text: string; find?: Find }) {
  const isSimple = isPlain(text);
  const result = useMarkdown(isSimple ? null : text);
  if (isSimple) {
    return (
      <div dir="auto" className="whitespace-pre-line break-words">
        {paragraphsOf(text).map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text never move
          <p key={at} className="my-1.5 first:mt-0 last:mb-0">
            <Marked text={one} find={find} />
          </p>
        ))}
      </div>
    );
  }
  if (result?.kind === "tree") {
    return (
      <div dir="auto" className="break-words">
        <MarkdownTree nodes={result.nodes} find={find} />
      </div>
    );
  }
  return (
    <>
      {result && result.why !== "no reader" && (
        <p className="pb-1 text-faint text-secondary">
          {result.why === "long"
            ? "Shown as plain text: too long to format."
            : "Shown as plain text: formatting takes too long."}
        </p>
      )}
      <PlainText text={text} find={find} />
    </>
  );
}

/** A text as it is, with its lines; a long one in pieces. */
export function PlainText({ text, find = noFind }: { text: string; find?: Find }) {
  const [shown, setShown] = useState(shownAtOnce);
  const rest = text.length - shown;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap break-words">
        <Marked text={rest > 0 ? text.slice(0, shown) : text} find={find} />
      </p>
      {rest > 0 && (
        <p className="pt-1 text-muted text-secondary">
          {counted(rest, "more character")}.{" "}
          <button type="button" className={plainLinkClass} onClick={() => setShown(shown + step)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

const ReaderContext = createContext<(() => MarkdownReader) | null>(null);

/** Gives everything below one reader of markdown; its worker is started by the first text and ends with this part of the page. */
export function MarkdownProvider({ children }: { children: ReactNode }) {
  const { workers } = useApi();
  const gone = useGoneSignal();
  const reader = useRef<MarkdownReader | null>(null);
  const get = useRef(() => {
    if (reader.current !== null) return reader.current;
    const made = createMarkdownReader(() => workers.start("markdown"), systemClock);
    reader.current = made;
    gone().addEventListener("abort", () => {
      made.close();
      reader.current = null;
    });
    return made;
  });
  return <ReaderContext value={get.current}>{children}</ReaderContext>;
}

/** What a text is as markdown; undefined while it is being read. `null` asks for nothing. */
function useMarkdown(text: string | null): MarkdownResult | undefined {
  const reader = use(ReaderContext);
  if (!reader) throw new Error("useMarkdown needs a MarkdownProvider above it");
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const known = text === null ? undefined : reader().peek(text);
  const isKnown = known !== undefined;
  useEffect(() => {
    if (text === null || isKnown) return;
    let isGone = false;
    void reader()
      .read(text)
      .then(() => {
        if (!isGone) renderAgain();
      });
    return () => {
      isGone = true;
    };
  }, [reader, text, isKnown]);
  return known;
}
