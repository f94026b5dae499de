import type { permissionObjects } from "../../../../contract/admin.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Id } from "../../../ui/Id.tsx";
import { adminQueries } from "../queries.ts";
import { foundLeast, foundMost } from "./find-objects.ts";
import { objectNames } from "./words.ts";

type Kind = (typeof permissionObjects)[number];

/** What the search of everything finds; the others have lists. */
const ofSearch: ReadonlySet<Kind> = new Set(["agent", "flow", "run", "conversation", "artifact"]);

type Props = {
  kind: Kind;
  /** What was typed, when the typing rested: a part of a name, or an ID. */
  text: string;
  onPick: (id: string) => void;
};

/** What is called so among what the person may see themselves; of all else its ID is known. */
export function ObjectPicker({ kind, text, onPick }: Props) {
  const api = useApi();
  const hasSearch = useCan("search");
  const canSearch = hasSearch || !ofSearch.has(kind);
  const q = text.trim();
  const asks = canSearch && q.length >= foundLeast;
  const read = useRead({ ...adminQueries.found(api, kind, q), enabled: asks });
  if (!asks) return null;
  if (read.isError && read.data === undefined)
    return <ReadFailure query={read} what="What is called so" isInset />;
  const found = read.data ?? [];
  if (read.data === undefined) return <p className="text-faint">Searching…</p>;
  if (found.length === 0)
    return (
      <p role="status" className="text-muted text-secondary">
        No {said(kind)} that you can see is called so. Show takes it as an ID.
      </p>
    );
  return (
    <ul aria-label="Found" className="-mx-2">
      {found.slice(0, foundMost).map(({ id, name, at }) => (
        <li key={id} className="flex items-center gap-3 rounded-control px-2 hover:bg-surface-hover">
          <button
            type="button"
            onClick={() => onPick(id)}
            className="focus-inset flex min-h-9 min-w-0 flex-1 items-baseline gap-3 text-left"
          >
            <bdi className="min-w-0 truncate font-medium">{shownName(name || id)}</bdi>
            {at && (
              <span className="shrink-0 text-muted text-secondary">
                <Ago at={at} />
              </span>
            )}
          </button>
          <Id id={id} what={`${said(kind)} ID`} cut={[10, 5]} />
        </li>
      ))}
      {found.length > foundMost && (
        <li className="px-2 text-muted text-secondary">Type more of the name to find others.</li>
      )}
    </ul>
  );
}

/** What a kind is called within a sentence: initials stay as they are. */
const said = (kind: Kind) => objectNames[kind].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
