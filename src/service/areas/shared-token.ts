import type { Signer } from "../credentials/signer.ts";

const purpose = "shared link";
/** Characters of the link's id in the database; the rest of a token is its signature. */
const idForm = /^\w{22,40}$/;
const tokenForm = /^(\w{22,40})-([\w~-]{20,80})$/;

/**
 * What opens an artifact without an account: the link's id, and a signature of it. Nothing of it is kept but the id, so
 * that a copy of the database opens nothing, while whoever may manage the link can be shown its address again; and a
 * token that was made up is refused before the database is asked. A new secret of the service ends all of them.
 */
function tokenOf(signer: Signer, linkId: string): string {
  if (!idForm.test(linkId)) throw new Error("A link's id is 22 to 40 letters, digits and _");
  // A dot would make the address look like that of a file.
  return `${linkId}-${signer.for(purpose).sign(linkId).replace(".", "~")}`;
}

/** @returns the link's id, or null for a token that this service did not make */
export function linkIdOf(signer: Signer, token: string): string | null {
  const [, linkId, signature] = tokenForm.exec(token) ?? [];
  if (linkId === undefined || signature === undefined) return null;
  return signer.for(purpose).verify(linkId, signature.replace("~", ".")) ? linkId : null;
}

/** The address that a manager gives away. */
export function sharedAddress(signer: Signer, publicUrl: string, linkId: string): string {
  return `${publicUrl}/shared/${tokenOf(signer, linkId)}`;
}
