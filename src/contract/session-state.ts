/** The state to show for a session: one whose last turn somebody stopped is `failed` on the wire, and says so beside it. */
export function sessionStateOf(
  session:
    | { readonly state?: string | null | undefined; readonly stopped?: boolean | null | undefined }
    | null
    | undefined,
): string | null {
  return session?.stopped && session.state === "failed" ? "stopped" : (session?.state ?? null);
}
