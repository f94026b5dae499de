/** What other areas may use of this one. */
export { NotFoundForYou } from "./NotFoundForYou.tsx";
export { credentialWords, teamName } from "./session-words.ts";
export type { KnownTeam } from "./signed-in.ts";
export { useSignedIn } from "./wheelhouse-context.tsx";
