import { useEffect, useEffectEvent, useState } from "react";
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
      onText={setText}
    />
  );
}

/** After so many ms without a key a text has settled. */
const settles = 250;

/** A text that is typed here and handed on when the typing rests; one that comes from the address is shown. */
export function useSettled(given: string, onSettled: (text: string) => void) {
  const [text, setText] = useState(given);
  const [known, setKnown] = useState(given);
  /** What was handed on: when it arrives in the address, more may have been typed. */
  const [told, setTold] = useState(given);
  if (known !== given) {
    setKnown(given);
    if (given !== told) {
      setTold(given);
      setText(given);
    }
  }
  const wanted = text.trim();
  useOnceSettled(text, wanted === told, () => {
    setTold(wanted);
    onSettled(wanted);
  });
  return [text, setText] as const;
}

/**
 * Calls when a value that is not told yet has stayed the same for a moment: browsers refuse an address that changes with
 * every key.
 */
export function useOnceSettled<T>(value: T, isTold: boolean, tell: (value: T) => void): void {
  const settled = useEffectEvent(tell);
  useEffect(() => {
    if (isTold) return;
    const timer = setTimeout(() => settled(value), settles);
    return () => clearTimeout(timer);
  }, [value, isTold]);
}
