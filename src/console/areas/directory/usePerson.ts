import { shownName } from "../../lib/shownName.ts";
import { useSignedIn } from "../session/index.ts";

/** A person as answers tell of one; any of it may be missing. */
export interface PersonIn {
  readonly id?: string | null | undefined;
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** What a person is called: the name, else the address, else the id; null where nothing is told. */
export function personName(person: PersonIn | null | undefined): string | null {
  if (!person) return null;
  const name = [person.first_name, person.last_name].filter(Boolean).join(" ").trim();
  return shownName(name || person.email || person.id || "") || null;
}

/** Says who somebody is: "you", else the name where the service tells it, else the id; a dash for nobody. */
export function usePerson(): (
  userId: string | null | undefined,
  person?: PersonIn | null | undefined,
) => string {
  const me = useSignedIn().credential.userId;
  return (userId, person) => {
    const id = userId ?? person?.id;
    if (id && id === me) return "you";
    return personName(person) ?? (id || "–");
  };
}
