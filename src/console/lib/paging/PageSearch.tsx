import { useEffect, useEffectEvent, useState } from "react";
import { SearchInput } from "../../ui/SearchInput.tsx";

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
  const [text, setText] = useSettledText(q ?? "", (typed) => onSearch(typed === "" ? undefined : typed));
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
export function useSettledText(given: string, onSettled: (text: string) => void) {
  return useSettled(
    given,
    () => given,
    trimmed,
    (text) => onSettled(text.trim()),
  );
}

const trimmed = (text: string) => text.trim();

/**
 * A value that is chosen here and handed on when it rests; what comes from the address is shown.
 * @param address what the address says: equal texts where it says the same
 * @param read the value that the address stands for
 * @param addressOf what the address says of a value
 */
export function useSettled<T>(
  address: string,
  read: (old?: T) => T,
  addressOf: (value: T) => string,
  onSettled: (value: T) => void,
) {
  const [value, setValue] = useState(() => read());
  const [known, setKnown] = useState(address);
  /** What was handed on: when it arrives in the address, more may have been typed. */
  const [told, setTold] = useState(address);
  if (known !== address) {
    setKnown(address);
    if (address !== told) {
      setTold(address);
      setValue(read);
    }
  }
  const wanted = addressOf(value);
  useOnceSettled(value, wanted === told, () => {
    setTold(wanted);
    onSettled(value);
  });
  return [value, setValue] as const;
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
