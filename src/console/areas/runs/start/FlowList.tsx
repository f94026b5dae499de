import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { shownName } from "../../../lib/shownName.ts";
import { cx } from "../../../ui/cx.ts";
import { SearchInput } from "../../../ui/Input.tsx";

export interface FlowChoice {
  readonly id: string;
  readonly name: string;
  /** A line under the name: how its last run went, or what it is for. */
  readonly about: string;
  /** When this browser last started it, ms since 1970; null for never. */
  readonly lastStarted: number | null;
}

type Props = { flows: readonly FlowChoice[]; selected: string | undefined };

/** The flows that can be started: those started lately first. */
export function FlowList({ flows, selected }: Props) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = flows.filter((flow) =>
    `${flow.name} ${flow.id} ${flow.about}`.toLowerCase().includes(wanted),
  );
  const lately = shown
    .filter((flow) => flow.lastStarted !== null)
    .sort((a, b) => (b.lastStarted ?? 0) - (a.lastStarted ?? 0));
  const others = shown
    .filter((flow) => flow.lastStarted === null)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <nav aria-label="Flows" className="flex h-full flex-col">
      <div className="p-3 pr-4 pl-edge-left">
        <SearchInput
          label="Search flows"
          placeholder={flows.length === 1 ? "1 flow" : `${flows.length} flows`}
          shortcut="/"
          data-page-search=""
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Group name="You ran lately" flows={lately} selected={selected} />
        <Group name={lately.length > 0 ? "Others" : "All flows"} flows={others} selected={selected} />
        {shown.length === 0 && (
          <p className="px-edge-left py-2 text-muted">
            {flows.length === 0 ? "No flows yet." : `No flows match “${text.trim()}”.`}
          </p>
        )}
      </div>
    </nav>
  );
}

function Group({ name, flows, selected }: Props & { name: string }) {
  if (flows.length === 0) return null;
  return (
    <section className="pb-2">
      <h2 className="px-edge-left py-1.5 font-medium text-muted text-secondary">{name}</h2>
      <ul>
        {flows.map((flow) => {
          const isSelected = flow.id === selected;
          return (
            <li key={flow.id}>
              <Link
                to="/runs/new"
                search={{ flow: flow.id }}
                aria-current={isSelected ? "true" : undefined}
                className={cx(
                  "focus-inset block py-1.5 pr-4 pl-edge-left",
                  isSelected
                    ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]"
                    : "hover:bg-surface-hover",
                )}
              >
                <span className={cx("block truncate", isSelected && "font-semibold")}>
                  {shownName(flow.name)}
                </span>
                <span className="block truncate text-muted text-secondary">{flow.about}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
