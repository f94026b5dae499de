import { Link } from "@tanstack/react-router";
import { Ago } from "../../../lib/time/Time.tsx";
import { cx } from "../../../ui/cx.ts";
import { Tag } from "../../../ui/Tag.tsx";
import { fieldWord } from "./field-words.ts";
import type { VersionsSearch } from "./search.ts";
import { before, type TimelineItem, type VersionLine } from "./timeline.ts";

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
              data-version={item.line.version}
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
                  {item.line.at === null ? (
                    ""
                  ) : isService ? (
                    <Ago at={item.line.at} />
                  ) : (
                    seenWords(item.line.at)
                  )}
                </span>
              </span>
              <span className="block truncate text-muted text-secondary">
                {lineWords(item.line, isService)}
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

function seenWords(at: string) {
  return (
    <>
      seen <Ago at={at} />
    </>
  );
}

function lineWords({ version, changed, by }: VersionLine, isService: boolean): string {
  if (!isService) return "as this browser read it";
  const who = by ?? "no person: a team key or a file";
  if (changed === null) return who;
  if (changed.length === 0) return `${version === 1 ? "made" : "no field changed"}, ${who}`;
  const fields = changed.map((field) => fieldWord(field).toLowerCase());
  const named =
    fields.length > 3 ? `${fields.slice(0, 2).join(", ")} and ${fields.length - 2} more` : fields.join(", ");
  return `${named}, ${who}`;
}

function gapWords(from: number, to: number, isService: boolean): string {
  const which = from === to ? `Version ${from} is` : `Versions ${from} to ${to} are`;
  return `${which} not known ${isService ? "to the service" : "to this browser"}`;
}
