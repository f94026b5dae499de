import Lock from "lucide-react/icons/lock";
import type { DraftField } from "../../../agents/agent-draft.ts";
import type { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../components/failure/Failure.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { fieldWords, listWords } from "./words.ts";

/** Why all or some of it can be read, but not changed; nothing where all can. */
export function ReadOnlyBand({
  refusal,
  unread,
}: {
  refusal: ConsoleError | null;
  unread: ReadonlySet<DraftField>;
}) {
  const fields = [...unread].map((field) => (field === "metadata" ? "the metadata" : fieldWords(field)));
  if (refusal)
    return (
      <Notice kind="offline" icon={<Lock />} title="You may read this agent, not change it">
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
