import X from "lucide-react/icons/x";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { joinNames } from "../../lib/join-names.ts";
import { shownName } from "../../lib/shownName.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { boxClass } from "../../ui/boxClass.ts";
import { cx } from "../../ui/cx.ts";
import { type Entry, readEntries, type Team } from "./addresses.ts";
import { RoleSelect } from "./Grants.tsx";

type Props = {
  teams: readonly Team[];
  entries: readonly Entry[];
  onEntries: (entries: readonly Entry[]) => void;
  /** What is typed and not read yet. */
  text: string;
  onText: (text: string) => void;
  onAdd: (entries: readonly Entry[], role: string) => void;
  isDisabled: boolean;
  /** It comes after its dialog, which has put the focus elsewhere by then. */
  takesFocus: boolean;
};

/**
 * Takes people by e-mail and teams by name: typed, or pasted as a list in any form. What was read becomes a chip; what
 * is neither is named, and stays until the person takes it out.
 */
export function AddPeople(props: Props) {
  const { teams, entries, onEntries, text, onText: setText, onAdd, isDisabled, takesFocus } = props;
  const id = useId();
  const [role, setRole] = useState("viewer");
  const field = useRef<HTMLInputElement>(null);
  const [isAtOnce] = useState(takesFocus && !isDisabled);
  useEffect(() => {
    if (isAtOnce) field.current?.focus();
  }, [isAtOnce]);
  const readable = entries.filter(({ kind }) => kind !== "unreadable");
  const unreadable = entries.filter(({ kind }) => kind === "unreadable");

  const take = (more: readonly Entry[]) => {
    const known = new Set(entries.map((one) => `${one.kind} ${one.id}`));
    onEntries([...entries, ...more.filter((one) => !known.has(`${one.kind} ${one.id}`))]);
    setText("");
  };
  const options = useTeamOptions(text, teams, (team) =>
    take([{ kind: "team", id: team.id, text: team.name }]),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (isDisabled || options.onKeyDown(event)) return;
    if (event.key === "Backspace" && text === "") onEntries(entries.slice(0, -1));
    else if ((event.key === "Enter" || event.key === "," || event.key === ";") && text.trim() !== "") {
      event.preventDefault();
      take(readEntries(text, teams));
    } else if (event.key === "Enter" && readable.length > 0) {
      event.preventDefault();
      add();
    } else if (event.key === " " && text.includes("@")) {
      event.preventDefault();
      take(readEntries(text, teams));
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    if (isDisabled) return;
    const pasted = event.clipboardData.getData("text");
    // One word may still be edited; a list is read at once.
    if (!/[\s,;<]/.test(pasted.trim())) return;
    event.preventDefault();
    take(readEntries(`${text} ${pasted}`, teams));
  };
  const add = () => {
    const typed = readEntries(text, teams);
    const all = [...entries, ...typed.filter((one) => !entries.some((other) => other.id === one.id))];
    onAdd(
      all.filter(({ kind }) => kind !== "unreadable"),
      role,
    );
    onEntries(all.filter(({ kind }) => kind === "unreadable"));
    setText("");
    field.current?.focus();
  };
  const asTeam = (entry: Entry) =>
    onEntries(entries.map((one) => (one === entry ? { ...entry, kind: "team" } : one)));
  const hasSomething = readable.length > 0 || text.trim() !== "";
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="relative min-w-0 flex-1 basis-52 max-sm:basis-full">
          <div
            className={cx(
              boxClass,
              "flex min-h-control flex-wrap items-center gap-1 px-1 py-0.5 focus-within:border-focus",
            )}
          >
            {entries.map((entry) => (
              <EntryChip
                key={`${entry.kind} ${entry.id}`}
                entry={entry}
                onRemove={() => onEntries(entries.filter((one) => one !== entry))}
              />
            ))}
            <input
              {...options.wiring}
              ref={field}
              type="text"
              value={text}
              readOnly={isDisabled}
              aria-disabled={isDisabled || undefined}
              aria-label="People by e-mail, or a team"
              aria-describedby={`${id}-note`}
              {...(unreadable.length > 0 && { "aria-invalid": true })}
              placeholder={entries.length === 0 ? "E-mail or team" : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none"
            />
          </div>
          <TeamOptions options={options} />
        </div>
        <RoleSelect
          look="box"
          label="Role for new people"
          role={role}
          isDisabled={isDisabled}
          onChange={(next) => next !== null && setRole(next)}
        />
        <Button
          onClick={add}
          disabledReason={
            isDisabled
              ? "Your role does not allow it"
              : hasSomething
                ? undefined
                : "Enter an e-mail address or a team first"
          }
          reasonAs="title"
        >
          Add
        </Button>
      </div>
      <div id={`${id}-note`} aria-live="polite" className="text-secondary">
        {unreadable.length > 0 && (
          <p className="mt-1 text-state-failed-fg">
            <bdi>{joinNames(unreadable.map((one) => one.text))}</bdi>{" "}
            {unreadable.length === 1
              ? "is neither an e-mail address nor one of your teams."
              : "are neither e-mail addresses nor your teams."}{" "}
            {unreadable.map((one) => (
              <button
                key={one.id}
                type="button"
                className="mr-2 font-medium text-accent hover:text-accent-hover"
                onClick={() => asTeam(one)}
              >
                Use <bdi>{one.text}</bdi> as a team ID
              </button>
            ))}
          </p>
        )}
      </div>
    </div>
  );
}

/** One address or team that was read, before it is added. */
function EntryChip({ entry, onRemove }: { entry: Entry; onRemove: () => void }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 max-w-full items-center rounded-tag pl-2 font-medium text-secondary",
        entry.kind === "unreadable" ? "bg-diff-del-bg text-state-failed-fg" : "bg-surface-pressed",
      )}
    >
      <bdi className="truncate">{shownName(entry.text)}</bdi>
      <button
        type="button"
        aria-label={`Remove ${entry.text}`}
        onClick={onRemove}
        className="flex h-full items-center rounded-tag px-1 text-muted hover:text-default"
      >
        <X />
      </button>
    </span>
  );
}

const most = 6;

/** The teams whose name or id has what is typed, as a list under the field that the arrow keys go through. */
function useTeamOptions(text: string, teams: readonly Team[], onChoose: (team: Team) => void) {
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

function TeamOptions({ options }: { options: ReturnType<typeof useTeamOptions> }) {
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
