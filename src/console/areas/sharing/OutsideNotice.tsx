import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { useCan } from "../../lib/api/useCan.ts";
import { listed } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { domainOf, type Entry, outsideDomains } from "./addresses.ts";
import { withLink } from "./edits.ts";
import { generatePassword } from "./generatePassword.ts";
import type { Share } from "./useShare.ts";

type Props = {
  artifact: Received<Artifact>;
  share: Share;
  entries: readonly Entry[];
  onEntries: (entries: readonly Entry[]) => void;
};

/**
 * Says, before anything is sent, which new people are outside the organisation and that they may be unable to sign in,
 * and offers a link in their place. The interface does not tell the organisation's domains, so the owner's own is what
 * counts as inside; where that is not known, nothing is said.
 */
export function OutsideNotice({ artifact, share, entries, onEntries }: Props) {
  const isOurs = useCan("shared_links");
  const takesPassword = useCan("link_password");
  const { base, plan, edits } = share;
  const home = homeOf(artifact, share);
  const isOutside = (email: string) => outsideDomains([email], home).length > 0;
  const added = plan.changes.flatMap((one) => (one.kind === "person" && one.from === null ? [one.id] : []));
  const typed = entries.flatMap(({ kind, id }) => (kind === "person" ? [id] : []));
  const outside = outsideDomains([...typed, ...added], home);
  if (outside.length === 0) return null;
  const offerLink = () => {
    const people = new Map(
      [...edits.people].filter(([email]) => !(added.includes(email) && isOutside(email))),
    );
    const next = { ...edits, people };
    const link = takesPassword
      ? { mode: "password", password: generatePassword() }
      : ({ mode: "anyone" } as const);
    share.edit(plan.after.link.mode === "none" ? withLink(base, next, link) : next);
    onEntries(entries.filter(({ kind, id }) => kind !== "person" || !isOutside(id)));
  };
  return (
    <Notice kind="waits" look="box" className="mt-2" icon={<TriangleAlert />}>
      <p>
        <bdi>
          {listed(outside)} {outside.length === 1 ? "is" : "are"} outside {listed([...home])}, the owner’s
          domain.
        </bdi>{" "}
        {isOurs
          ? "Anyone without an account on this service cannot sign in, and so cannot open the file by e-mail."
          : "The service does not say whether they can sign in; if not, access by e-mail does not help them."}
      </p>
      <Button size="small" className="mt-1.5" onClick={offerLink}>
        Use a link instead
      </Button>
    </Notice>
  );
}

/** The domains of the owner and the creator. */
function homeOf(artifact: Received<Artifact>, { base }: Share): ReadonlySet<string> {
  const owners = base.people.filter(({ role }) => role === "owner").map(({ email }) => email);
  const creator = artifact.creator?.email;
  return new Set([...owners, ...(creator ? [creator] : [])].map(domainOf));
}
