import { CopyButton } from "../../ui/CopyButton.tsx";
import { type PersonIn, personName, usePerson } from "./usePerson.ts";

type Props = {
  /** As the service tells of this person. */
  of?: PersonIn | null | undefined;
  /** Where it tells the id beside it, or nothing else. */
  id?: string | null | undefined;
  /** With a button that copies the id. */
  copies?: boolean;
};

/** Somebody by name, with the id when pointed at. */
export function Person({ of, id, copies = false }: Props) {
  const word = usePerson()(id, of);
  const userId = id ?? of?.id;
  const name = personName(of);
  const title = [name === word ? null : name, userId].filter(Boolean).join(" · ");
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-0.5" {...(title !== "" && { title })}>
      <bdi className="truncate">{word}</bdi>
      {copies && userId && <CopyButton text={userId} what="user ID" look="inline" />}
    </span>
  );
}
