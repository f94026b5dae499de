import RotateCw from "lucide-react/icons/rotate-cw";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { grouped } from "../../../lib/words.ts";
import { useMayRunAgain } from "./useMayRunAgain.ts";

type Props = { runId: string; node: string; item?: number };

/** Leads to running the run again from a step, or from one item of it; nothing where that is not for this person. */
export function AgainLink({ runId, node, item }: Props) {
  const may = useMayRunAgain(runId);
  if (!may) return null;
  const place = item === undefined ? shownName(node) : `item ${grouped(item)} of ${shownName(node)}`;
  return (
    <LinkButton
      to="/runs/$runId/again"
      params={{ runId }}
      search={{ node, item }}
      size="small"
      aria-label={`Run again from here: ${place}`}
    >
      <RotateCw />
      Run again from here
    </LinkButton>
  );
}
