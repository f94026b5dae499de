import { useEffect, useRef, useState } from "react";
import { SearchInput } from "../../ui/Input.tsx";

type Props = {
  /** Its name for those who listen. */
  label: string;
  placeholder: string;
  /** What stands in the address. */
  q: string | undefined;
  /** Puts it into the address when the typing rests; undefined for an empty field. */
  onSearch: (q: string | undefined) => void;
  className: string;
};

/** The field over a list: `/` leads to it, Escape empties it before it closes anything else. */
export function PageSearch({ label, placeholder, q, onSearch, className }: Props) {
  const [text, setText] = useSettled(q ?? "", (typed) => onSearch(typed === "" ? undefined : typed));
  return (
    <SearchInput
      label={label}
      placeholder={placeholder}
      shortcut="/"
      data-page-search=""
      className={className}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || text === "") return;
        event.stopPropagation();
        setText("");
      }}
    />
  );
}

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
