import type { ReactNode } from "react";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { credentialWords } from "./owners.ts";
import { useSignedIn } from "./wheelhouse.tsx";

type Props = {
  /** The noun of the interface: "run", "agent". */
  what: string;
  id: string;
  error: unknown;
  /** Where to go from here. */
  actions: ReactNode;
  /** What may have happened besides that there is none and that the key may not see it. */
  or?: string;
  /** Sentences on why it may be gone. */
  remark?: string | null;
  /** When it was deleted, as a sentence, where that is known: then nothing else is said. */
  deleted?: string | null;
};

/** The same answer for what does not exist and what this key may not see: the service does not tell which it is. */
export function NotFoundForYou({ what, id, error, actions, or, remark, deleted }: Props) {
  const as = useSignedIn();
  return (
    <EmptyState
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} ${deleted ? "deleted" : "not found, or you have no access"}`}
      actions={actions}
      foot={
        <span className="flex flex-wrap items-center gap-x-2">
          <Id id={id} what={`${what} ID`} />
          <Refusal error={error} />
        </span>
      }
    >
      {deleted ?? (
        <>
          It does not exist, {or !== undefined && `${or} `}or your key has no access to it. Signed in with{" "}
          <strong>{credentialWords(as)}</strong>.{remark && ` ${remark}`}
        </>
      )}
    </EmptyState>
  );
}
