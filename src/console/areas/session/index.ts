/** What other areas may use of this one. */
export { NotFoundForYou } from "./NotFoundForYou.tsx";
export { credentialWords, ownersOf } from "./owners.ts";
export type { KnownTeam } from "./signed-in.ts";
export { useSignedIn } from "./wheelhouse.tsx";
