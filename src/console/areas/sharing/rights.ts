import type { Share } from "./useShare.ts";

/**
 * Whether to offer changes. The interface has no field for it: a caller who sees no grant at all, only counts, holds a
 * role below editor ("Artifacts and access"); otherwise the service's own refusal decides, and holds from then on.
 */
export function mayManage({ base, refused }: Pick<Share, "base" | "refused">): boolean {
  if (refused?.isLocked === true || refused?.isGone === true) return false;
  return !(base.isLimited && base.people.length === 0 && base.teams.length === 0);
}
