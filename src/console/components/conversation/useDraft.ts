import { useCallback, useEffect, useRef, useState } from "react";
import { useApi } from "../api-context.tsx";

const settles = 250;

/**
 * A text that is being typed in one place, kept in this browser: a reload, a 401 or a crash loses nothing. It is written
 * when typing rests, so that typing stays light.
 */
export function useDraft(place: string) {
  const { drafts } = useApi();
  const [text, setTextOnly] = useState(() => textOf(drafts.get(place)));
  const [isKept, setKept] = useState(text !== "");
  const current = useRef(text);
  const isTouched = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const write = useCallback(() => {
    clearTimeout(timer.current);
    if (!isTouched.current) return;
    isTouched.current = false;
    if (current.current === "") void drafts.remove(place);
    else void drafts.set(place, current.current).then(() => setKept(true));
  }, [drafts, place]);

  const setText = useCallback(
    (next: string) => {
      current.current = next;
      isTouched.current = true;
      setTextOnly(next);
      setKept(false);
      clearTimeout(timer.current);
      if (next === "") write();
      else timer.current = setTimeout(write, settles);
    },
    [write],
  );

  useEffect(() => {
    // The page may stand before the browser's database has answered.
    void drafts.load().then(() => {
      const kept = textOf(drafts.get(place));
      if (isTouched.current || current.current !== "" || kept === "") return;
      current.current = kept;
      setTextOnly(kept);
      setKept(true);
    });
    addEventListener("pagehide", write);
    return () => {
      removeEventListener("pagehide", write);
      write();
    };
  }, [drafts, place, write]);

  return { text, setText, isKept: isKept && text !== "" };
}

const textOf = (kept: unknown): string => (typeof kept === "string" ? kept : "");
