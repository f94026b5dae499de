import { useEffect, useRef, useState } from "react";

/** After so many ms without a key a text has settled. */
const settles = 250;

/** A text that is typed here and handed on when the typing rests; one that comes from the address is shown. */
export function useSettled(given: string, onSettled: (text: string) => void) {
  const [text, setText] = useState(given);
  const last = useRef(given);
  const settled = useRef(onSettled);
  useEffect(() => {
    settled.current = onSettled;
  });
  useEffect(() => {
    if (given === last.current) return;
    last.current = given;
    setText(given);
  }, [given]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === last.current) return;
    const timer = setTimeout(() => {
      last.current = wanted;
      settled.current(wanted);
    }, settles);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
