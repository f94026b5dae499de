import { createContext, type ReactNode, use, useEffect, useReducer, useRef } from "react";
import { systemClock } from "../../api/clock.ts";
import { useApi } from "../api/api-context.tsx";
import { createMarkdownReader, type MarkdownReader, type MarkdownResult } from "./worker/markdown-client.ts";

const ReaderContext = createContext<(() => MarkdownReader) | null>(null);

/** Gives everything below one reader of markdown; its worker is started by the first text and ends with this part of the page. */
export function MarkdownProvider({ children }: { children: ReactNode }) {
  const { workers } = useApi();
  const reader = useRef<MarkdownReader | null>(null);
  useEffect(
    () => () => {
      reader.current?.close();
      reader.current = null;
    },
    [],
  );
  const get = useRef(() => {
    reader.current ??= createMarkdownReader(() => workers.start("markdown"), systemClock);
    return reader.current;
  });
  return <ReaderContext value={get.current}>{children}</ReaderContext>;
}

/** What a text is as markdown; undefined while it is being read. `null` asks for nothing. */
export function useMarkdown(text: string | null): MarkdownResult | undefined {
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
