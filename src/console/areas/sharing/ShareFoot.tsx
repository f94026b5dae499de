import { useCan } from "../../lib/api/useCan.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/linkClass.ts";
import type { Entry } from "./addresses.ts";
import { passwordFault } from "./LinkPassword.tsx";
import { mayManage } from "./rights.ts";
import type { Share } from "./useShare.ts";
import { summary } from "./words.ts";

/** What the changes are, in short, and the way to look at each. */
export function ShareNote({
  share,
  isReview,
  onReview,
}: {
  share: Share;
  isReview: boolean;
  onReview: () => void;
}) {
  const { changes } = share.plan;
  if (changes.length === 0) return null;
  return (
    <>
      <span className="text-body text-default">{summary(changes).join(", ")}</span>{" "}
      <button type="button" aria-pressed={isReview} className={cx(linkClass, "px-1")} onClick={onReview}>
        {isReview ? "Edit" : "Review"}
      </button>
      <span className="block max-sm:hidden">You’ll see the result next</span>
    </>
  );
}

/** Cancel and the one act. */
export function ShareFoot({
  share,
  entries,
  onCancel,
}: {
  share: Share;
  entries: readonly Entry[];
  onCancel: () => void;
}) {
  const takesPassword = useCan("link_password");
  const { changes } = share.plan;
  return (
    <>
      <Button variant="quiet" className="max-sm:hidden" onClick={onCancel}>
        {changes.length === 0 ? "Close" : "Cancel"}
      </Button>
      <Button
        variant="primary"
        loading={share.isSending}
        onClick={share.apply}
        disabledReason={whyNot(share, entries, takesPassword)}
        reasonAs="title"
      >
        {changes.length === 0 ? "Apply" : `Apply ${counted(changes.length, "change", "changes")}`}
      </Button>
    </>
  );
}

function whyNot(share: Share, entries: readonly Entry[], takesPassword: boolean): string | undefined {
  const { plan, meanwhile, edits, base } = share;
  if (!mayManage(share)) return "Your role does not allow it";
  if (entries.length > 0) return "Add the addresses above, or take them out, first";
  if (plan.changes.length === 0) return "Nothing is changed yet";
  if ((meanwhile?.clashes.length ?? 0) > 0) return "Choose between your change and theirs first";
  if (plan.after.link.mode === "password" && takesPassword) {
    const password = edits.link?.password;
    if (password === undefined && base.link.mode !== "password") return "Write a password for the link first";
    if (password !== undefined && passwordFault(password) !== null)
      return "The password has the wrong length";
  }
  return undefined;
}

/** After the change: take it back, go on, or be done. */
export function OutcomeFoot({ share, onClose }: { share: Share; onClose: () => void }) {
  const { outcome } = share;
  const canUndo = outcome !== null && !outcome.isUndo && outcome.done.length > 0;
  return (
    <>
      {canUndo && (
        <Button variant="quiet" loading={share.isSending} onClick={share.undo}>
          Undo
        </Button>
      )}
      <Button onClick={share.goOn}>Change more</Button>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </>
  );
}
