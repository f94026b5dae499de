import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "./api.tsx";
import type { Join } from "./history/drafts.ts";

const settles = 250;

/**
 * A text that is being typed in one place, kept in this browser: a reload, a 401 or a crash loses nothing. It is written
 * when typing rests, so that typing stays light.
 * @param join how it goes together with one that was kept, where the browser's store answers after typing began
 */
export function useDraft(place: string, join: Join = oneAfterTheOther) {
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
    else void drafts.set(place, current.current, join).then(() => setKept(true));
  }, [drafts, place, join]);

  const show = useCallback((next: string) => {
    current.current = next;
    setTextOnly(next);
  }, []);

  const setText = useCallback(
    (next: string) => {
      show(next);
      isTouched.current = true;
      setKept(false);
      clearTimeout(timer.current);
      // Before the store has answered each key is noted, so that what was kept comes to the text and not in its place.
      if (next === "" || !drafts.isKnown.get()) write();
      else timer.current = setTimeout(write, settles);
    },
    [show, write, drafts],
  );

  /**
   * To be called when this text is about to be sent; the returned function when it was: it is no draft any more then.
   * What is typed meanwhile, here or in another tab, stays.
   */
  const beginSend = useCallback(
    (sent: string) => {
      write();
      return () => {
        if (current.current === sent) show("");
        void drafts.settle(place, sent);
      };
    },
    [show, write, drafts, place],
  );

  useKept(place, (kept) => {
    const found = textOf(kept);
    if (isTouched.current || found === "") return;
    show(found);
    setKept(true);
  });

  useEffect(() => {
    addEventListener("pagehide", write);
    return () => {
      removeEventListener("pagehide", write);
      write();
    };
  }, [write]);

  return { text, setText, beginSend, isKept: isKept && text !== "" };
}

const textOf = (kept: unknown): string => (typeof kept === "string" ? kept : "");

const oneAfterTheOther: Join = (kept, typed) =>
  [kept, typed]
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");

/**
 * Hands over what is kept of a draft, together with what was typed before that was known: at once where the browser's
 * store has answered, else when it does. A page is drawn without waiting for it.
 */
export function useKept(name: string, take: (kept: unknown) => void): void {
  const { drafts } = useApi();
  const onKnown = useEffectEvent((place: string) => take(drafts.get(place)));
  useEffect(() => {
    void drafts.load();
    if (drafts.isKnown.get()) onKnown(name);
    return drafts.isKnown.subscribe(() => onKnown(name));
  }, [drafts, name]);
}
