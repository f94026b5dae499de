import Lock from "lucide-react/icons/lock";
import type { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { DraftField } from "../agent/agent-draft.ts";
import { fieldWords, listWords } from "./words.ts";

/** Why all or some of it can be read, but not changed; nothing where all can. */
export function ReadOnlyBand({
  isReader,
  refusal,
  onTry,
  unread,
}: {
  /** The service said so before anything was tried. */
  isReader: boolean;
  /** What a save was answered; null where none was refused. */
  refusal: ConsoleError | null;
  /** Lets them try again: they may have been given the right meanwhile. */
  onTry: () => void;
  unread: ReadonlySet<DraftField>;
}) {
  const fields = [...unread].map((field) => (field === "metadata" ? "the metadata" : fieldWords(field)));
  if (isReader)
    return (
      <Notice kind="offline" icon={<Lock />} title="You may read this agent, not change it">
        The service says that you are a viewer of it.
      </Notice>
    );
  if (refusal)
    return (
      <Notice
        kind="offline"
        icon={<Lock />}
        title="You may read this agent, not change it"
        action={
          <Button size="small" onClick={onTry}>
            Edit anyway
          </Button>
        }
      >
        The service refused the change of this key. A draft stays on this device, to be copied.
        <span className="mt-1 flex items-center gap-1 text-secondary">
          <Refusal error={refusal} />
        </span>
      </Notice>
    );
  if (fields.length === 0) return null;
  return (
    <Notice kind="offline" icon={<Lock />} title={`Not everything can be changed here`}>
      The service sent {listWords(fields)} in a form that could not be sent back whole, so{" "}
      {fields.length === 1 ? "it is" : "they are"} left as {fields.length === 1 ? "it is" : "they are"}.
    </Notice>
  );
}
