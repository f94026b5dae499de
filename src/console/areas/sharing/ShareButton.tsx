import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { later } from "../../ui/later.ts";

const ShareDialog = later(() => import("./ShareDialog.tsx"));

/**
 * The artifact whose sharing is open stands in the address as `share=<artifact id>`, so that it can be copied, and Back
 * closes it; pages need not know of it, as the router keeps what a page does not read.
 */
function useOpenSharing() {
  const navigate = useNavigate();
  const open = useSearch({
    strict: false,
    select: (search: object) => (search as { share?: unknown }).share,
  });
  const show = (share: string | undefined) =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, share }),
      replace: share === undefined,
      resetScroll: false,
    } as Parameters<typeof navigate>[0]);
  return { open: open === undefined ? undefined : String(open), show };
}

type ButtonOf = {
  artifact: Received<Artifact>;
  /** `small` stands in panels and rows. */
  size?: ButtonProps["size"];
};

/** Opens who may see an artifact, in the `OpenSharing` of the page. */
export function ShareButton({ artifact: { id }, size = "normal" }: ButtonOf) {
  const { show } = useOpenSharing();
  if (!id) return null;
  return (
    <Button size={size} onClick={() => show(id)}>
      Share
    </Button>
  );
}

/**
 * The dialog that the address has open. Apart from the buttons, and once in a page: they come and go with the width of
 * the window and with the rows of a list, and what is edited would go with them.
 */
export function OpenSharing({ artifacts }: { artifacts: readonly Received<Artifact>[] }) {
  const { open, show } = useOpenSharing();
  const found = artifacts.find(({ id }) => id && id === open);
  const [last, setLast] = useState(found);
  if (found !== undefined && found !== last) setLast(found);
  // One that its list lost through what was applied still says what came of it.
  const artifact = found ?? (last?.id === open ? last : undefined);
  if (!artifact?.id) return null;
  return (
    <LazyPart key={artifact.id}>
      <ShareDialog artifact={artifact} artifactId={artifact.id} onClose={() => show(undefined)} />
    </LazyPart>
  );
}
