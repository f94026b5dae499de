import { useApi } from "../../../lib/api.tsx";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { personName } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";
import { useChangeSearch } from "../AdminFrame.tsx";
import { adminQueries } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";

type Owner = { readonly kind: "me" | "user" | "team"; readonly id: string; readonly name: string };

/** Whose keys or sessions the address asks for, by name, and whose else can be chosen. */
export function useOwnerPicker(roles: OwnRoles, { user, team }: AdminSearch) {
  const api = useApi();
  const me = useSignedIn().credential.userId;
  const isMe = team === undefined && (user === undefined || user === me);
  const known = roles.managed.find(({ id }) => id === team);
  const person = useRead({ ...adminQueries.person(api, user ?? ""), enabled: !isMe && team === undefined });
  const ofTeam = useRead({
    ...adminQueries.team(api, team ?? ""),
    enabled: team !== undefined && known === undefined,
  });
  const owner: Owner = isMe
    ? { kind: "me", id: "", name: "you" }
    : team !== undefined
      ? { kind: "team", id: team, name: known?.name ?? shownName(ofTeam.data?.data.team?.name || team) }
      : { kind: "user", id: user ?? "", name: personName(person.data?.data.person) ?? shownName(user ?? "") };
  return { ...owner, teams: roles.managed };
}

type Props = {
  whose: ReturnType<typeof useOwnerPicker>;
  tab: "keys" | "sessions" | "connected";
  /** "My keys". */
  mine: string;
};

/** Chooses whose; nothing where there is only oneself. */
export function OwnerPicker({ whose, tab, mine }: Props) {
  const change = useChangeSearch();
  const teams = tab === "keys" ? whose.teams : [];
  const value = whose.kind === "me" ? "" : `${whose.kind} ${whose.id}`;
  const options: (readonly [string, string])[] = [
    ["", mine],
    ...teams.map(({ id, name }) => [`team ${id}`, `Team ${name}`] as const),
  ];
  if (!options.some(([each]) => each === value))
    options.push([value, whose.kind === "team" ? `Team ${whose.name}` : whose.name]);
  if (options.length === 1) return null;
  return (
    <div className="flex min-h-filters shrink-0 items-center gap-1.5 py-2 pr-edge-right pl-edge-left">
      <ListSelect
        label="Owner"
        value={value}
        options={options}
        onChange={(next) => {
          const [kind, id] = next?.split(" ") ?? [];
          change({ team: kind === "team" ? id : undefined, user: kind === "user" ? id : undefined });
        }}
      />
    </div>
  );
}
