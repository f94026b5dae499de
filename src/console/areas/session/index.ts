/** What other areas may use of this one. */
export { NotFoundForYou } from "./NotFoundForYou.tsx";
export type { KnownTeam } from "./signed-in.ts";
export { credentialWords, ownersOf } from "./signed-in.ts";
export { useSignedIn } from "./wheelhouse.tsx";
