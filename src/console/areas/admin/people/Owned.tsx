import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { counted, grouped } from "../../../lib/words.ts";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { kindName, ownedWords } from "../labels.ts";
import { adminQueries } from "../queries.ts";

/** What a person owns, by kind. */
export function useOwned(id: string) {
  const read = useRead(adminQueries.owned(useApi(), id));
  const kinds = (read.data?.data.owned ?? []).flatMap((one) =>
    one?.kind
      ? [{ kind: one.kind, own: one.own ?? 0, forTeams: one.for_teams ?? 0, movable: one.movable ?? 0 }]
      : [],
  );
  return { read, kinds };
}

/** What others let a person see: it is not theirs. */
const shared = "shared_with_them";

/** How many artifacts were shared with a person; nothing where none was, or that is not known. */
export function SharedWith({ id }: { id: string }) {
  const count = useOwned(id).kinds.find(({ kind }) => kind === shared)?.own ?? 0;
  if (count === 0) return null;
  return (
    <p className="mt-1 text-muted text-secondary">
      {counted(count, "artifact is", "artifacts are")} shared with them.
    </p>
  );
}

/** "3 agents", for what handing over would move; none where nothing would. */
export const movableWords = (kinds: ReturnType<typeof useOwned>["kinds"]): readonly string[] =>
  kinds.filter(({ movable }) => movable > 0).map(({ kind, movable }) => ownedWords(kind, movable));

/** How many of each kind are a person's own, and how many they made for teams. */
export function Owned({ id }: { id: string }) {
  const { read, kinds } = useOwned(id);
  if (read.isError && read.data === undefined)
    return <ReadFailure query={read} what="What they own" isInset />;
  if (read.data === undefined) return <p className="text-faint">loading…</p>;
  const some = kinds.filter(({ kind, own, forTeams }) => kind !== shared && own + forTeams > 0);
  if (some.length === 0) return <p className="text-faint">Nothing</p>;
  return (
    <DefinitionList
      nameWidth={140}
      rows={some.map(({ kind, own, forTeams }) => ({
        key: kind,
        name: kindName(kind),
        value: (
          <span className="tabular-nums">
            {grouped(own)}
            {forTeams > 0 && (
              <span className="text-muted text-secondary"> and {grouped(forTeams)} of teams</span>
            )}
          </span>
        ),
      }))}
    />
  );
}
