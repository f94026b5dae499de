import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";

type Props = {
  /** "this rubric", "criteria and tags" */
  what: string;
  onTheirs: () => void;
  onMine: () => void;
};

/** Somebody else changed what is edited here: the person decides which of the two stands. */
export function ChangedMeanwhile({ what, onTheirs, onMine }: Props) {
  return (
    <Notice
      kind="waits"
      title={`Someone changed ${what} while you were editing`}
      action={
        <span className="flex gap-2">
          <Button size="small" variant="quiet" onClick={onTheirs}>
            Use theirs
          </Button>
          <Button size="small" onClick={onMine}>
            Keep mine
          </Button>
        </span>
      }
    >
      “Keep mine” applies your changes on top of their version. Nothing is saved yet.
    </Notice>
  );
}
