import { SearchInput } from "../../ui/SearchInput.tsx";
import { useSettled } from "./useSettled.ts";

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
