import type { ReactNode } from "react";
import { counted } from "../../../lib/words.ts";
import { type KeyHint, moveKeys, openKey } from "../../../ui/Kbd.tsx";
import { PageFoot } from "../../../ui/PageFrame.tsx";
import type { RunList } from "./useRunList.ts";

type FootProps = {
  list: Pick<RunList, "rows" | "older">;
  /** The service has told what there is. */
  isRead: boolean;
  isService: boolean;
  isFiltered: boolean;
  /** What floats over the end of the list. */
  over: ReactNode;
};

const selectKey: KeyHint = { keys: ["x"], does: "select" };

/** What the list holds, from whom, and what it leaves out. */
export function RunsFoot({ list, isRead, isService, isFiltered, over }: FootProps) {
  const count = list.rows.length;
  const runs = counted(count, "run");
  const words = isService
    ? list.older
      ? `The newest ${runs} of this service`
      : isFiltered
        ? `${runs} matching`
        : `${count > 1 ? "Showing all " : ""}${runs}`
    : `${runs} that this browser knows. This service does not list runs that were started elsewhere`;
  return (
    <PageFoot
      keys={[moveKeys, openKey, selectKey]}
      over={over}
      more={list.older && { label: "Show older", ...list.older }}
    >
      {isRead && words}
    </PageFoot>
  );
}
