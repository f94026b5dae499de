import { recordCommand } from "../audit/record.ts";
import { createSignInToken } from "../credentials/sign-in.ts";
import type { Store } from "../store/store.ts";

/** What a command writes to. */
export interface Terminal {
  /** One line for a person. */
  print(line: string): void;
  /** One line that says why the command ends without success. */
  complain(line: string): void;
}

/** Makes a one-time link for this person and prints it. */
export async function printSignIn(
  store: Store,
  person: string,
  publicUrl: string,
  { print }: Terminal,
): Promise<void> {
  const token = await createSignInToken(store, person, (tx) =>
    recordCommand(tx, { action: "sign_in_link.create", object: { kind: "person", id: person } }),
  );
  print(`Sign in as ${person} (this link works once, within ten minutes):`);
  print(`  ${publicUrl}/#sign-in=${token}`);
}
