import { linkClass } from "../../ui/linkClass.ts";
import { StateShape } from "../../ui/StateShape.tsx";
import { type Change, subjectOf } from "./plan.ts";
import { sayChange, type TeamName } from "./words.ts";

type Props = {
  changes: readonly Change[];
  teamName: TeamName;
  /** Takes one change back. */
  onUndo: (subject: string) => void;
};

/** Everything that will be sent, one line each, before it is. */
export function Review({ changes, teamName, onUndo }: Props) {
  return (
    <section aria-label="What will be changed" className="mt-3">
      <h3 className="font-semibold">What will be changed</h3>
      <ul className="mt-1 divide-y divide-line">
        {changes.map((change) => (
          <li key={subjectOf(change)} className="flex min-h-8 items-center gap-2.5 py-1">
            <StateShape tone="waiting" />
            <bdi className="min-w-0 flex-1 break-words">{sayChange(change, teamName)}</bdi>
            <button
              type="button"
              aria-label={`Undo: ${sayChange(change, teamName)}`}
              className={linkClass}
              onClick={() => onUndo(subjectOf(change))}
            >
              Undo
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted text-secondary">
        All of it is sent at once: either everything is changed, or nothing.
      </p>
    </section>
  );
}
