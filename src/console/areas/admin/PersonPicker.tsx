import { useState } from "react";
import { useApi } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { useSettledText } from "../../lib/paging/PageSearch.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { RadioRows } from "../../ui/Choices.tsx";
import { SearchInput } from "../../ui/SearchInput.tsx";
import { personName } from "../directory/index.ts";
import { describePerson } from "./labels.ts";
import { type PersonRow, peoplePages } from "./queries.ts";

/** So many are offered at once. */
const most = 6;
const searchHint = "Search to find others.";

type Props = {
  /** "Who": over the people that were found. */
  legend: string;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  /** Where a choice does something at once: by a click or Enter, not by moving through the list. */
  onPick?: (id: string) => void;
  /** Who is not offered. */
  without: ReadonlySet<string>;
  /** Who is in this team is not offered. */
  notIn?: string;
};

/** Chooses a person by a part of their name or address. Deactivated ones are not offered. */
export function PersonPicker({ legend, value, onChange, onPick, without, notIn }: Props) {
  const [q, setQ] = useState("");
  const [text, setText] = useSettledText(q, setQ);
  const { rows, query, more } = usePages(peoplePages(useApi(), q === "" ? {} : { q }));
  const isIn = ({ teams }: PersonRow) => notIn !== undefined && teams?.some((team) => team?.id === notIn);
  const fits = rows.filter((row) => row.state !== "deactivated" && !without.has(row.id) && !isIn(row));
  const shown = fits.slice(0, most);
  return (
    <div className="flex flex-col gap-2">
      <SearchInput
        label="Search people"
        placeholder="Names and e-mail addresses"
        size="normal"
        value={text}
        // Who was chosen may be out of sight then.
        onText={(typed) => {
          setText(typed);
          onChange(undefined);
        }}
        // It searches by itself: Enter would send the form around it.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      {query.isError && query.data === undefined ? (
        <ReadFailure query={query} what="The people" isInset />
      ) : shown.length === 0 ? (
        <p role="status" className="text-muted">
          {query.isPending ? "Loading people…" : more === null ? "No one matches." : searchHint}
        </p>
      ) : (
        <RadioRows
          legend={legend}
          value={value}
          onChange={onChange}
          {...(onPick && { onPick })}
          rows={shown.map((row) => ({ value: row.id, name: nameIn(row), about: aboutOf(row) }))}
          {...((fits.length > most || more !== null) && { hint: searchHint })}
        />
      )}
    </div>
  );
}

const nameIn = (row: PersonRow) => <bdi>{personName(row) ?? row.id}</bdi>;
const aboutOf = ({ email, state }: PersonRow) =>
  [email, state === "invited" ? describePerson(state).word.toLowerCase() : ""].filter(Boolean).join(", ");
