import { recordCommand } from "../audit/record.ts";
import { createSignInToken } from "../credentials/sign-in.ts";
import { ServiceError } from "../service-error.ts";
import type { Store } from "../store/store.ts";
import { isDatabaseUnavailable, sentenceOf } from "../store/store-error.ts";
import type { MadeKey } from "../workspace/load.ts";

/** What a command writes to. */
export interface Terminal {
  /** One line for a person. */
  print(line: string): void;
  /** One line that says why the command ends without success. */
  complain(line: string): void;
}

/** Shows keys that were made just now, by whichever process loaded the workspace first: nobody can show them again. */
export function printMadeKeys(keys: readonly MadeKey[], { print }: Terminal): void {
  if (keys.length === 0) return;
  print("Keys made at this start, shown only now (set these variables to choose your own):");
  for (const { variable, secret } of keys) print(`  ${variable}=${secret}`);
}

/** A link where there can be one; where there can be none, why, which keeps nothing else from being done. */
export async function offerSignIn(
  store: Store,
  person: string,
  publicUrl: string,
  terminal: Terminal,
): Promise<void> {
  try {
    await printSignIn(store, person, publicUrl, terminal);
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      // What runs, and the keys that only this start can show, are worth more than a link that may be had later.
      terminal.print(`No link to sign in: the database did not answer (${sentenceOf(error)}).`);
      terminal.print(`  Make one with: wheelhouse sign-in-link --person ${person}`);
      return;
    }
    if (!(error instanceof ServiceError)) throw error;
    terminal.print(`No link to sign in: ${error.message}`);
  }
}

/** Makes a one-time link for this person and prints it. @throws ServiceError where they could not sign in with it */
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
