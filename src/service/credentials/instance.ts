import { createSigner } from "./signer.ts";

/** How an installation names itself to others that ask on a port: the same for all processes with its secret. */
export function instanceOf(secret: string): string {
  return createSigner(secret).for("instance").sign("wheelhouse");
}
