import { type Damage as DamageOf, pathText } from "../../api/receive.ts";
import { Notice } from "../../ui/Notice.tsx";

/** Says which values of an answer could not be read and were left out; nothing while all could (C-01). */
export function Damage({ damage }: { damage: readonly DamageOf[] }) {
  const first = damage[0];
  if (!first) return null;
  return (
    <Notice
      kind="waits"
      title={
        damage.length === 1
          ? "One value has an unexpected format"
          : `${damage.length} values have an unexpected format`
      }
    >
      <code className="break-all">{pathText(first.path)}</code> came as {first.preview}
      {damage.length > 1 && `, and ${damage.length - 1} more`}. Everything else is shown.
    </Notice>
  );
}
