import { foldEmail } from "./access.ts";

/** One word of what was typed or pasted, and what it turned out to be. */
export interface Entry {
  /** `unreadable`: neither an e-mail address nor a team; it is kept and named. */
  readonly kind: "person" | "team" | "unreadable";
  readonly id: string;
  readonly text: string;
}

/** A team of the person. */
export type Team = { readonly id: string; readonly name: string };

/** As services take it: one @, something on both sides, nothing that separates. */
const emailForm = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,190}$/;

/**
 * Reads a pasted list: separated by commas, semicolons, spaces, tabs or lines, with or without names before
 * `<address>`. Duplicates are folded whatever their case. A team is found by its whole name or its id.
 */
export function readEntries(text: string, teams: readonly Team[]): Entry[] {
  const found = new Map<string, Entry>();
  const add = (entry: Entry) => {
    const key = `${entry.kind} ${entry.id}`;
    if (!found.has(key)) found.set(key, entry);
  };
  for (const piece of text.split(/[,;\r\n\t]+/)) {
    const whole = piece.trim();
    if (whole === "") continue;
    const bracketed = [...whole.matchAll(/<([^<>]*)>/g)].map(([, inside]) => inside ?? "");
    const team = bracketed.length === 0 ? teamOf(whole, teams) : undefined;
    if (team !== undefined) add({ kind: "team", id: team.id, text: team.name });
    else if (bracketed.length > 0) for (const word of bracketed) add(readWord(word, teams));
    else for (const word of whole.split(/\s+/)) add(readWord(word, teams));
  }
  return [...found.values()];
}

function readWord(word: string, teams: readonly Team[]): Entry {
  const bare = word
    .trim()
    .replace(/^mailto:/i, "")
    .replace(/^["'(]+|["').]+$/g, "");
  if (emailForm.test(bare)) return { kind: "person", id: foldEmail(bare), text: bare };
  const team = teamOf(bare, teams);
  if (team !== undefined) return { kind: "team", id: team.id, text: team.name };
  return { kind: "unreadable", id: word, text: word };
}

function teamOf(text: string, teams: readonly Team[]): Team | undefined {
  const wanted = text.toLowerCase();
  return teams.find(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted);
}

/** The part of an e-mail behind the @, in small letters and in punycode: one that only looks like another is told apart (C-08). */
export function domainOf(email: string): string {
  const domain = foldEmail(email).split("@").at(-1) ?? "";
  try {
    return new URL(`http://${domain}`).hostname || domain;
  } catch {
    return domain;
  }
}

/**
 * The domains among these e-mails that are not the organisation's, each once.
 * @param home the domains of the people that are known to belong to it; empty: nothing can be said
 */
export function outsideDomains(emails: readonly string[], home: ReadonlySet<string>): string[] {
  if (home.size === 0) return [];
  return [...new Set(emails.map(domainOf))].filter((domain) => domain !== "" && !home.has(domain));
}
