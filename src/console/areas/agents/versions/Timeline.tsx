import { Link } from "@tanstack/react-router";
import { Ago } from "../../../lib/time/Time.tsx";
import { cx } from "../../../ui/cx.ts";
import { Tag } from "../../../ui/Tag.tsx";
import { type PersonIn, usePerson } from "../../directory/index.ts";
import { fieldTitle } from "../labels.ts";
import type { VersionsSearch } from "../search.ts";

type Props = {
  agentId: string;
  items: readonly TimelineItem[];
  lines: readonly VersionLine[];
  /** The version that the agent has. */
  now: number | null;
  from: number | null;
  to: number | null;
  search: VersionsSearch;
  /** The service's own, or only what this browser has seen. */
  isService: boolean;
};

/** The versions from the newest to the oldest: when, by whom, what changed; what is not known is a gap. */
export function Timeline({ agentId, items, lines, now, from, to, search, isService }: Props) {
  const person = usePerson();
  return (
    <ol aria-label="Versions" className="relative">
      {items.map((item) =>
        item.kind === "gap" ? (
          <li
            key={`gap ${item.from}`}
            className="border-b bg-surface-sunken py-1.5 pr-4 pl-edge-left text-faint text-secondary"
          >
            {gapWords(item.from, item.to, isService)}
          </li>
        ) : (
          <li
            key={item.line.version}
            className={cx(
              "relative border-b",
              item.line.version === to && "bg-surface-selected shadow-[inset_2px_0_0_var(--accent-solid)]",
            )}
          >
            <Link
              to="/agents/$agentId/versions"
              params={{ agentId }}
              search={selection(item.line.version, lines, search)}
              replace={to !== null}
              data-row={item.line.version}
              {...(item.line.version === to && { "aria-current": true })}
              className="focus-inset block min-h-[52px] py-2 pr-4 pl-edge-left hover:bg-surface-hover"
            >
              <span className="flex items-baseline gap-2">
                <span className="font-medium tabular-nums">Version {item.line.version}</span>
                {item.line.version === now && <Tag tone="edited">now</Tag>}
                {item.line.version === from && (
                  <span className="text-faint text-secondary">compared with</span>
                )}
                <span className="ml-auto text-muted text-secondary">
                  {item.line.at !== null && !isService && "seen "}
                  {item.line.at !== null && <Ago at={item.line.at} />}
                </span>
              </span>
              <span className="block truncate text-muted text-secondary">
                {isService
                  ? lineWords(item.line, item.line.by && person(null, item.line.by))
                  : "as seen in this browser"}
              </span>
            </Link>
          </li>
        ),
      )}
    </ol>
  );
}

/** What an address has when this version is picked: compared with the one before it. */
export function selection(
  version: number,
  lines: readonly VersionLine[],
  search: VersionsSearch,
): VersionsSearch {
  const from = before(lines, version);
  return { ...(search.lines && { lines: true as const }), to: version, ...(from !== null && { from }) };
}

function lineWords({ version, changed }: VersionLine, by: string | null): string {
  const who = by ?? "a team key or a file";
  if (changed === null) return who;
  if (changed.length === 0) return `${version === 1 ? "created" : "no field changed"}, ${who}`;
  const fields = changed.map((field) => fieldTitle(field).toLowerCase());
  const named =
    fields.length > 3 ? `${fields.slice(0, 2).join(", ")} and ${fields.length - 2} more` : fields.join(", ");
  return `${named}, ${who}`;
}

function gapWords(from: number, to: number, isService: boolean): string {
  const which = from === to ? `Version ${from} is` : `Versions ${from} to ${to} are`;
  return `${which} not available${isService ? "" : " in this browser"}`;
}

/** A version of an agent as far as it is known. */
export interface VersionLine {
  readonly version: number;
  /** ISO 8601 UTC, as sent; null where it is not known. */
  readonly at: string | null;
  /** Who made it; null: no person, or not told. */
  readonly by: PersonIn | null;
  /** The fields that it changed; null where the service does not say. */
  readonly changed: readonly string[] | null;
}

/** What stands in the timeline: a version, or versions that are not known, both ends included. */
type TimelineItem =
  | { readonly kind: "version"; readonly line: VersionLine }
  | { readonly kind: "gap"; readonly from: number; readonly to: number };

/**
 * Versions from the newest to the oldest, with what lies between and is not known.
 * @param now the version that the agent has; null where it is not told
 * @param isWhole nothing older is left to be read
 */
export function timelineOf(
  lines: readonly VersionLine[],
  now: number | null,
  isWhole: boolean,
): TimelineItem[] {
  const unique = new Map(lines.map((line) => [line.version, line]));
  const sorted = [...unique.values()].sort((a, b) => b.version - a.version);
  const items: TimelineItem[] = [];
  let expected = now ?? sorted[0]?.version ?? 0;
  for (const line of sorted) {
    if (line.version < expected) items.push({ kind: "gap", from: line.version + 1, to: expected });
    items.push({ kind: "version", line });
    expected = line.version - 1;
  }
  if (isWhole && sorted.length > 0 && expected >= 1) items.push({ kind: "gap", from: 1, to: expected });
  return items;
}

/** The version before this one that is known; null for the oldest. */
export function before(lines: readonly VersionLine[], version: number): number | null {
  const older = lines.map((line) => line.version).filter((one) => one < version);
  return older.length === 0 ? null : Math.max(...older);
}
