import { useState } from "react";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../lib/history/known-run.ts";
import { useFrame } from "../../ui/frameContext.ts";
import WatchedEnds from "../watched/WatchedEnds.tsx";
import WatchedTalks from "./WatchedTalks.tsx";
import Watching from "./Watching.tsx";

type Props = { runs: readonly KnownRun[]; talks: readonly KnownConversation[] };

/** What the person follows, as rows of the sidebar; and what tells when one of it ends. */
export default function Watched({ runs, talks }: Props) {
  // On phones the sidebar is there a second time while its drawer is open: one of them tells.
  const { isSidebarOpen } = useFrame();
  const [wasOpen] = useState(isSidebarOpen);
  return (
    <>
      {runs.length > 0 && <Watching runs={runs} />}
      {talks.length > 0 && <WatchedTalks talks={talks} />}
      {!(wasOpen && isSidebarOpen) && <WatchedEnds runs={runs} talks={talks} />}
    </>
  );
}
