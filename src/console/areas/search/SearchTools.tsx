import Regex from "lucide-react/icons/regex";
import { useSettledText } from "../../lib/paging/PageSearch.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { SearchInput } from "../../ui/Input.tsx";
import { type EverywhereSearch, formatKinds, kinds, kindsOf } from "./search.ts";
import type { SearchKind } from "./worker/hit.ts";

type Props = {
  search: EverywhereSearch;
  /** The pattern is none. */
  isNoPattern: boolean;
  onChange: (part: EverywhereSearch) => void;
  /** From the field to the first result. */
  onLeave: () => void;
};

const names: Readonly<Record<SearchKind, string>> = {
  inputs: "Inputs",
  outputs: "Outputs",
  log: "Log lines",
  messages: "Messages",
  tools: "Tool calls",
  artifacts: "Artifact names",
};

/** What to look for, how, and in what; all of it stands in the address. */
export function SearchTools({ search, isNoPattern, onChange, onLeave }: Props) {
  const [text, setText] = useSettledText(search.q ?? "", (q) =>
    onChange({ q: q === "" ? undefined : q, more: undefined }),
  );
  const isPattern = search.as === "pattern";
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b py-2.5 pr-edge-right pl-edge-left">
      <div className="flex items-center gap-1.5">
        <SearchInput
          // Where there is nothing to look at yet.
          autoFocus={search.q === undefined}
          label="Search everywhere"
          placeholder={isPattern ? "A regular expression" : "Text in logs, messages or values"}
          size="normal"
          shortcut="/"
          data-page-search=""
          className="min-w-0 max-w-[560px] flex-1"
          value={text}
          aria-invalid={isNoPattern}
          onText={setText}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === "ArrowDown") {
              event.preventDefault();
              onLeave();
            }
          }}
        />
        <IconButton
          label="Use regular expression"
          aria-pressed={isPattern}
          variant={isPattern ? "plain" : "quiet"}
          onClick={() => onChange({ as: isPattern ? undefined : "pattern" })}
        >
          <Regex />
        </IconButton>
      </div>
      <KindChips search={search} onChange={onChange} />
    </div>
  );
}

function KindChips({ search, onChange }: Pick<Props, "search" | "onChange">) {
  const chosen = search.in === undefined ? [] : kindsOf(search);
  const toggle = (kind: SearchKind) => {
    const next = kinds.filter((one) => (one === kind ? !chosen.includes(one) : chosen.includes(one)));
    onChange({ in: formatKinds(next) });
  };
  return (
    <fieldset aria-label="Look in" className="flex flex-wrap gap-1.5">
      <KindChip isChosen={chosen.length === 0} onClick={() => onChange({ in: undefined })}>
        Everything
      </KindChip>
      {kinds.map((kind) => (
        <KindChip key={kind} isChosen={chosen.includes(kind)} onClick={() => toggle(kind)}>
          {names[kind]}
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
