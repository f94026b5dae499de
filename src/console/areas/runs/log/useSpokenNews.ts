import { useEffect, useRef, useState } from "react";

/** Between two announcements, in ms: a log that pours must not be read aloud without end. */
const restMs = 8_000;

/** What to say of lines that came, for those who listen: counted, and seldom. */
export function useSpokenNews(length: number, errors: number, isMoving: boolean): string {
  const [spoken, setSpoken] = useState("");
  const said = useRef({ length, errors });
  const isDue = isMoving && length > said.current.length;
  useEffect(() => {
    if (!isDue) return;
    const timer = setInterval(() => {
      const { current } = said;
      const more = latest.current.length - current.length;
      const failed = latest.current.errors - current.errors;
      said.current = latest.current;
      if (more > 0)
        setSpoken(`${plural(more, "new line")}${failed > 0 ? `, ${plural(failed, "error")}` : ""}`);
    }, restMs);
    return () => clearInterval(timer);
  }, [isDue]);
  const latest = useRef({ length, errors });
  useEffect(() => {
    latest.current = { length, errors };
  }, [length, errors]);
  return spoken;
}

const plural = (count: number, what: string) =>
  `${count.toLocaleString("en-GB")} ${what}${count === 1 ? "" : "s"}`;
