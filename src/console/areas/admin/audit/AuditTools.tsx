import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Button } from "../../../ui/Button.tsx";
import { Chip } from "../../../ui/Chip.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Input } from "../../../ui/Input.tsx";
import { personName } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";
import { useChangeSearch } from "../AdminFrame.tsx";
import { nameOf } from "../labels.ts";
import { PersonPicker } from "../PersonPicker.tsx";
import { type AuditRow, adminQueries } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { actionNames, objectNames, objectWords } from "./words.ts";

type Props = { roles: OwnRoles; search: AdminSearch; rows: readonly AuditRow[] };

const byWords = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).sort(([, a], [, b]) => a.localeCompare(b));

/** The filters of the audit log: person, object, action and days. All of them stand in the address. */
export function AuditTools({ roles, search, rows }: Props) {
  const change = useChangeSearch();
  const [isChoosing, setChoosing] = useState(false);
  const who = usePersonFilter(search.user, roles);
  const about = rows.find(({ object }) => object?.id === search.object_id);
  const dates = { from: "From", to: "To" } as const;
  return (
    <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-1.5 py-2 pr-edge-right pl-edge-left max-sm:grid max-sm:grid-cols-2">
      {search.object_id !== undefined && (
        <Chip
          name={`History of ${nameOf(objectNames, search.object).toLowerCase()}`}
          value={
            <bdi className="block max-w-50 truncate">{(about && objectWords(about)) || search.object_id}</bdi>
          }
          onClear={() => change({ object: undefined, object_id: undefined })}
        />
      )}
      {roles.seesPeople && (
        <ListSelect
          label="By"
          value={search.user}
          options={who.options}
          onChange={(user) => (user === other ? setChoosing(true) : change({ user }))}
        />
      )}
      {search.object_id === undefined && (
        <ListSelect
          label="Object"
          value={search.object}
          options={[["", "All objects"], ...byWords(objectNames)]}
          onChange={(object) => change({ object })}
        />
      )}
      <ListSelect
        label="Action"
        className="max-sm:col-span-2"
        value={search.action}
        options={[["", "All actions"], ...byWords(actionNames)]}
        onChange={(action) => change({ action })}
      />
      {(["from", "to"] as const).map((end) => (
        <span
          key={end}
          className="flex items-center gap-x-1.5 text-muted text-secondary max-sm:flex-col max-sm:items-start"
        >
          <span aria-hidden>{dates[end]}</span>
          <Input
            type="date"
            aria-label={dates[end]}
            className="h-control-small! w-34! max-sm:w-full! sm:text-secondary"
            value={search[end] ?? ""}
            onChange={(event) => change({ [end]: event.target.value || undefined })}
          />
        </span>
      ))}
      {isChoosing && (
        <ChoosePerson
          onClose={() => setChoosing(false)}
          onChoose={(user) => {
            setChoosing(false);
            change({ user });
          }}
        />
      )}
    </div>
  );
}

/** No person's id. */
const other = "choose another";

/** By whom the log can be narrowed, in words; a person who is neither oneself nor everyone is read first. */
export function usePersonFilter(user: string | undefined, roles: OwnRoles) {
  const me = useSignedIn().credential.userId;
  const isOther = user !== undefined && user !== me;
  const read = useRead({ ...adminQueries.person(useApi(), user ?? ""), enabled: isOther && roles.isAdmin });
  const options: (readonly [string, string])[] = [["", "By everyone"]];
  if (me !== null) options.push([me, "By me"]);
  if (isOther) options.push([user, `By ${personName(read.data?.data.person) ?? shownName(user)}`]);
  options.push([other, "By someone else…"]);
  return { options };
}

function ChoosePerson({ onChoose, onClose }: { onChoose: (id: string) => void; onClose: () => void }) {
  const [value, setValue] = useState<string>();
  return (
    <Dialog
      isNarrow
      onClose={onClose}
      title="Choose a person"
      footer={
        <Button
          variant="primary"
          reasonAs="title"
          disabledReason={value === undefined ? "Choose a person first" : undefined}
          onClick={() => value !== undefined && onChoose(value)}
        >
          Show changes
        </Button>
      }
    >
      <PersonPicker legend="Who" value={value} onChange={setValue} without={new Set()} />
    </Dialog>
  );
}
