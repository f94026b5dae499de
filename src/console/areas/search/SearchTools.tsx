import { type SearchKind, searchKinds } from "../../../contract/search.ts";
import { useSettledText } from "../../lib/paging/PageSearch.tsx";
import { cx } from "../../ui/cx.ts";
import { SearchInput } from "../../ui/SearchInput.tsx";
import { type EverywhereSearch, formatKinds, kindsOf } from "./search.ts";

type Props = {
  search: EverywhereSearch;
  onChange: (part: EverywhereSearch) => void;
  /** From the field to the first result. */
  onLeave: () => void;
};

/** Each kind, as a heading. */
export const kindNames: Readonly<Record<SearchKind, string>> = {
  agent: "Agents",
  flow: "Flows",
  artifact: "Artifacts",
  run: "Runs",
  conversation: "Conversations",
};

/** What to look for and in what; all of it stands in the address. */
export function SearchTools({ search, onChange, onLeave }: Props) {
  const [text, setText] = useSettledText(search.q ?? "", (q) => onChange({ q: q === "" ? undefined : q }));
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b py-2.5 pr-edge-right pl-edge-left">
      <div className="flex items-center gap-1.5">
        <SearchInput
          // Where there is nothing to look at yet.
          autoFocus={search.q === undefined}
          label="Search everywhere"
          placeholder="Text in logs, messages or values"
          size="normal"
          shortcut="/"
          data-page-search=""
          className="min-w-0 max-w-[560px] flex-1"
          value={text}
          onText={setText}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === "ArrowDown") {
              event.preventDefault();
              onLeave();
            }
          }}
        />
      </div>
      <KindChips search={search} onChange={onChange} />
    </div>
  );
}

function KindChips({ search, onChange }: Pick<Props, "search" | "onChange">) {
  const chosen = search.in === undefined ? [] : kindsOf(search);
  const toggle = (kind: SearchKind) => {
    const next = searchKinds.filter((one) => (one === kind ? !chosen.includes(one) : chosen.includes(one)));
    onChange({ in: formatKinds(next) });
  };
  return (
    <fieldset aria-label="Look in" className="flex flex-wrap gap-1.5">
      <KindChip isChosen={chosen.length === 0} onClick={() => onChange({ in: undefined })}>
        Everything
      </KindChip>
      {searchKinds.map((kind) => (
        <KindChip key={kind} isChosen={chosen.includes(kind)} onClick={() => toggle(kind)}>
          {kindNames[kind]}
        </KindChip>
      ))}
    </fieldset>
  );
}

function KindChip({
  isChosen,
  onClick,
  children,
}: {
  isChosen: boolean;
  onClick: () => void;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={cx(
        "inline-flex h-control-small items-center whitespace-nowrap rounded-control border px-2 font-medium text-secondary",
        isChosen ? "border-accent-line bg-accent-bg" : "border-line-strong text-muted hover:bg-surface-hover",
      )}
    >
      {children}
    </button>
  );
}
