/** The command line or the environment is wrong. The message is one line that names the flag. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
