import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useCan } from "../../lib/api/useCan.ts";
import { counted, listed } from "../../lib/words.ts";
import { CodeLine } from "../../ui/CodeLine.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import { subjectOf } from "./plan.ts";
import { Sentence } from "./Sentence.tsx";
import type { Outcome } from "./useShare.ts";
import { sayChange, type TeamName, whoSees } from "./words.ts";

/** What a change came to: who sees it now, who was told, the link to give away, and what changed on the way. */
export function OutcomeView({ outcome, teamName }: { outcome: Outcome; teamName: TeamName }) {
  const { done, after, differences, password, cannot, isUndo } = outcome;
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-control bg-surface-sunken px-3 py-2.5">
        <p className="text-muted text-secondary">Who has access now</p>
        <p className="mt-0.5">
          <Sentence pieces={whoSees(after, teamName)} />
        </p>
      </div>
      {done.length > 0 && (
        <ul aria-label="What was changed">
          {done.map((change) => (
            <li key={subjectOf(change)} className="flex min-h-7 items-start gap-2 py-1">
              <StateShape tone="done" className="mt-[3px]" />
              <bdi className="min-w-0 break-words">{sayChange(change, teamName)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {cannot.length > 0 && (
        <Notice kind="waits" look="box" icon={<TriangleAlert />} title="Not all of it could be put back">
          {cannot.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </Notice>
      )}
      {differences.length > 0 && (
        <Notice kind="waits" look="box" icon={<TriangleAlert />} title="What came back is not what was sent">
          <ul className="list-disc pl-4">
            {differences.map((change) => (
              <li key={subjectOf(change)}>
                <bdi>{sayChange(change, teamName)}</bdi>
              </li>
            ))}
          </ul>
          <p className="mt-1">
            The service or somebody else decided otherwise. The sentence above says how it is now.
          </p>
        </Notice>
      )}
      {!isUndo && <Told notified={outcome.notified} />}
      {after.linkUrl !== null && after.link.mode !== "none" && (
        <div>
          <p className="mb-1 font-medium">Link to share</p>
          <CodeLine code={after.linkUrl} what="the link" />
        </div>
      )}
      {password !== null && (
        <div>
          <p className="mb-1 font-medium">Password of the link</p>
          <CodeLine code={password} what="the password" />
          <p className="mt-1 text-faint text-secondary">
            Shown this once: it is not kept here, and nobody can look it up. Give it another way than the
            link.
          </p>
        </div>
      )}
    </div>
  );
}

/** Who was told. Our own service sends no mail, and names the same for addresses that it knows and does not know. */
function Told({ notified }: { notified: readonly string[] }) {
  const isOurs = useCan("shared_links");
  if (notified.length === 0) return null;
  return (
    <p className="text-muted">
      {counted(notified.length, "person is", "people are")} new here: <bdi>{listed(notified, 8)}</bdi>.{" "}
      {isOurs
        ? "Nobody was told: this service sends no mail. Give them the address of this page yourself."
        : "The service says that it told them; how, it does not say."}
    </p>
  );
}
