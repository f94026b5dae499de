import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { ListFoot } from "../../../ui/Table.tsx";

type Props = { count: number; missing: "failed" | "too many" | "reading" | null; onRead: () => void };

/** How many there are, and what the list leaves out. */
export function SharedFoot({ count: n, missing, onRead }: Props) {
  const files = counted(n, "artifact", "artifacts");
  return (
    <ListFoot>
      {missing === null && `${files} of yours that others can open`}
      {missing === "reading" && `${files} so far; reading the rest`}
      {missing === "too many" && `The newest ${files}; there are more, which this page does not read`}
      {missing === "failed" && (
        <>
          The newest {files}; the rest could not be read
          <Button variant="quiet" size="small" onClick={onRead} className="ml-2">
            Try again
          </Button>
        </>
      )}
    </ListFoot>
  );
}
