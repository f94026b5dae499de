import { type KeyboardEvent, useId, useState } from "react";
import { Avatar } from "../../ui/Avatar.tsx";
import { cx } from "../../ui/cx.ts";

type Team = { readonly id: string; readonly name: string };

const most = 6;

/** The teams whose name or id has what is typed, as a list under the field that the arrow keys go through. */
export function useTeamOptions(text: string, teams: readonly Team[], onChoose: (team: Team) => void) {
  const listId = useId();
  const [at, setAt] = useState(0);
  const wanted = text.trim().toLowerCase();
  const fitting =
    wanted === ""
      ? []
      : teams
          .filter(({ id, name }) => name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted))
          .slice(0, most);
  const current = Math.min(at, fitting.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  return {
    listId,
    fitting,
    current,
    optionId,
    onChoose,
    wiring: {
      role: "combobox",
      "aria-expanded": fitting.length > 0,
      "aria-controls": listId,
      "aria-autocomplete": "list",
      ...(fitting.length > 0 && { "aria-activedescendant": optionId(current) }),
    } as const,
    /** @returns whether the key was for the list */
    onKeyDown: (event: KeyboardEvent): boolean => {
      const team = fitting[current];
      if (team === undefined) return false;
      if (event.key === "ArrowDown") setAt((current + 1) % fitting.length);
      else if (event.key === "ArrowUp") setAt((current + fitting.length - 1) % fitting.length);
      else if (event.key === "Enter") onChoose(team);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

export function TeamOptions({ options }: { options: ReturnType<typeof useTeamOptions> }) {
  const { fitting, current, listId, optionId, onChoose } = options;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Teams"
      className={cx(
        "absolute inset-x-0 top-full z-menu mt-1 overflow-hidden rounded-control border border-line-strong bg-surface-raised py-1 shadow-float",
        fitting.length === 0 && "hidden",
      )}
    >
      {fitting.map((team, index) => (
        <div
          key={team.id}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(team);
          }}
          className={cx(
            "flex h-8 items-center gap-2 px-2",
            index === current ? "bg-surface-selected" : "hover:bg-surface-hover",
          )}
        >
          <Avatar name={team.name} isGroup />
          <span className="min-w-0 truncate">
            <bdi className="font-medium">{team.name}</bdi>{" "}
            <span className="text-muted text-secondary">team</span>
          </span>
        </div>
      ))}
    </div>
  );
}
