/** Whose credentials a call uses: a person's or a team's, never one in place of the other. */
export type McpOwner =
  | { readonly type: "user"; readonly id: string }
  | { readonly type: "team"; readonly id: string };

/** Whose connection is meant: that of an owner, or the one that everybody shares where a server tells nobody apart. */
export type McpScope = McpOwner | { readonly type: "everybody" };

export const everybody: McpScope = { type: "everybody" };

/** `everybody`, `user:<id>` or `team:<id>`, as the column `owner` holds it. */
export function scopeKey(scope: McpScope): string {
  return scope.type === "everybody" ? "everybody" : `${scope.type}:${scope.id}`;
}

/**
 * For whom something acts, as the owner of credentials ("Whose credentials run it").
 * @returns null where it acts for nobody
 */
export function ownerOf(actor: {
  readonly userId: string | null;
  readonly teamId: string | null;
}): McpOwner | null {
  if (actor.userId !== null) return { type: "user", id: actor.userId };
  return actor.teamId === null ? null : { type: "team", id: actor.teamId };
}
