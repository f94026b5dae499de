import { useState } from "react";
import type { StorageTrouble } from "../../lib/history/key-value.ts";
import { PausedNotice } from "./PausedNotice.tsx";
import { StorageNotice } from "./StorageNotice.tsx";

/** What stands over every page, where there is something to be said. @param trouble with what this browser keeps; null: none */
export default function FrameNotices({ trouble }: { trouble: StorageTrouble | null }) {
  const [isClosed, setClosed] = useState(false);
  return (
    <>
      <PausedNotice />
      {trouble !== null && !isClosed && <StorageNotice trouble={trouble} onClose={() => setClosed(true)} />}
    </>
  );
}
