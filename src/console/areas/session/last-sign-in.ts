import * as z from "zod/mini";
import type { SignedIn } from "./signed-in.ts";

const key = "wheelhouse:last-sign-in";
const nullableText = z.nullable(z.string());
const schema = z.object({
  path: z.string(),
  kind: z.enum(["personal", "team"]),
  userId: nullableText,
  teamId: nullableText,
});

/** With what somebody signed in here last, to fill the form when they come back. Never a key or token. */
export type LastSignIn = z.output<typeof schema>;

/** @returns null in a browser where nobody signed in before, or whose storage cannot be read */
export function readLastSignIn(shared: () => Storage): LastSignIn | null {
  try {
    const parsed = schema.safeParse(JSON.parse(shared().getItem(key) ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Remembers a sign-in, unless it was for its tab only. */
export function rememberSignIn(
  shared: () => Storage,
  { connection, credential, thisTabOnly }: SignedIn,
): void {
  if (thisTabOnly) return;
  const { kind, userId, teamId } = credential;
  // A token is pasted once or comes by a link: tomorrow the same person takes their key.
  const last: LastSignIn = {
    path: connection.path,
    kind: kind === "team" ? "team" : "personal",
    userId,
    teamId,
  };
  try {
    shared().setItem(key, JSON.stringify(last));
  } catch {
    // Blocked or full: the form is empty next time.
  }
}
