import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { later } from "../../ui/later.ts";

const ShareDialog = later(() => import("./ShareDialog.tsx"));

type Props = {
  artifact: Received<Artifact>;
  /** `small` stands in panels and rows. */
  size?: ButtonProps["size"];
};

/**
 * Opens who may see an artifact. The open dialog stands in the address as `share=<artifact id>`, so that it can be
 * copied, and Back closes it; pages need not know of it, as the router keeps what a page does not read.
 */
export function ShareButton({ artifact, size = "normal" }: Props) {
  const id = artifact.id;
  const navigate = useNavigate();
  const open = useSearch({
    strict: false,
    select: (search: object) => (search as { share?: unknown }).share,
  });
  if (!id) return null;
  const show = (share: string | undefined) =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, share }),
      replace: share === undefined,
      resetScroll: false,
    } as Parameters<typeof navigate>[0]);
  return (
    <>
      <Button size={size} onClick={() => show(id)}>
        Share
      </Button>
      {String(open) === id && (
        <LazyPart>
          <ShareDialog artifact={artifact} artifactId={id} onClose={() => show(undefined)} />
        </LazyPart>
      )}
    </>
  );
}
