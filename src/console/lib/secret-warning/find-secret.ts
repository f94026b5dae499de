/** A text that looks like a key, as far as it may be shown: its beginning and its end. */
export interface SecretHint {
  /** "an OpenAI key" */
  readonly what: string;
  /** `sk-proj-…Xy9` */
  readonly shown: string;
}

const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["an Anthropic key", /\bsk-ant-[\w-]{16,}/],
  ["an OpenAI key", /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/],
  ["a GitLab token", /\bglpat-[\w-]{16,}/],
  ["an AWS key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Slack token", /\bxox[abposr]-[\w-]{10,}/],
  ["a Google key", /\bAIza[\w-]{30,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}/],
  ["a Wheelhouse key", /\bwh_[A-Za-z0-9_-]{16,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{30,}/],
  ["a signed token", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ["a bearer token", /\bBearer\s+(?!\$)[\w.~+/-]{24,}/i],
  ["an address with a password", /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{4,}@/i],
  ["a password", /\b(?:password|passwd|secret|api[_-]?key)\s*[:=]\s*["']?[^\s"'$]{12,}/i],
];

const longest = 200_000;

/**
 * Finds the first thing in a text that looks like a secret (C-39).
 * @param allowed what the person said is none, by its `shown`
 * @returns null where nothing does
 */
export function findSecret(text: string, allowed: ReadonlySet<string> = new Set()): SecretHint | null {
  const looked = text.slice(0, longest);
  for (const [what, pattern] of patterns) {
    for (const [found] of looked.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const shown = `${found.slice(0, 8)}…${found.length > 24 ? found.slice(-3) : ""}`;
      if (!allowed.has(shown)) return { what, shown };
    }
  }
  return null;
}
