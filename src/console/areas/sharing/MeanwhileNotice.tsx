import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Meanwhile } from "./useShare.ts";
import { sayChange, type TeamName } from "./words.ts";

type Props = {
  meanwhile: Meanwhile;
  teamName: TeamName;
  onDecide: (subject: string, whose: "mine" | "theirs") => void;
};

/** What somebody else changed while the dialog was open; where both changed the same, the person decides. */
export function MeanwhileNotice({ meanwhile, teamName, onDecide }: Props) {
  const { theirs, clashes } = meanwhile;
  return (
    <Notice kind="waits" look="box" className="mb-3" title="Somebody else changed this meanwhile">
      <ul className="list-disc pl-4">
        {theirs.map((change) => (
          <li key={sayChange(change, teamName)}>
            <bdi>{sayChange(change, teamName)}</bdi>
          </li>
        ))}
      </ul>
      <p className="mt-1">
        Nothing of yours was sent. Your changes stand below on top of theirs
        {clashes.length > 0 ? "; where you both changed the same, choose." : ": look, then apply again."}
      </p>
      {clashes.map(({ subject, mine, theirs: other }) => (
        <div key={subject} className="mt-2 flex flex-wrap items-center gap-2 text-default">
          <span className="min-w-0 flex-1 basis-60">
            Yours: <bdi className="font-medium">{sayChange(mine, teamName)}</bdi>. Theirs:{" "}
            <bdi className="font-medium">{sayChange(other, teamName)}</bdi>.
          </span>
          <Button size="small" onClick={() => onDecide(subject, "mine")}>
            Keep mine
          </Button>
          <Button size="small" onClick={() => onDecide(subject, "theirs")}>
            Take theirs
          </Button>
        </div>
      ))}
    </Notice>
  );
}
