/** How many characters of one kind in a row make one token, at most. */
const perToken = { lower: 6, upper: 2.5, digit: 3, sign: 2, space: 8 } as const;
type Kind = keyof typeof perToken;

/** Of one character outside ASCII: most alphabets, and everything above them, where a sign is a token or more. */
const foreign = { letter: 0.75, sign: 1.5 } as const;

/**
 * About how many tokens a text is, without any model's tokenizer: words, numbers, signs and spaces are told apart as
 * tokenizers do it. Measured against o200k it is from 0 to 30 % too much for English, code, JSON and tables, 60 % and more
 * for most other scripts, and up to 15 % too little for random letters, such as base64.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind: Kind | null = null;
  let run = 0;
  const close = () => {
    // The one space before a word is part of its token.
    if (kind !== null && !(kind === "space" && run === 1)) tokens += Math.ceil(run / perToken[kind]);
    run = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) {
      close();
      kind = null;
      tokens += code < 0x800 ? foreign.letter : foreign.sign;
      continue;
    }
    const next = kindOf(code);
    // A capital begins a word.
    if (next === "lower" && kind === "upper" && run === 1) kind = "lower";
    if (next !== kind || isBreak(code)) close();
    kind = next;
    run++;
  }
  close();
  return Math.ceil(tokens);
}

/** The fewest that `estimateTokens` says of any text of so many characters, or of a longer one. */
export function leastTokens(characters: number): number {
  // Eight spaces are one; the one that is free stands beside what is not, unless it is all there is.
  return (characters - 1) / perToken.space;
}

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return "lower";
  if (code === 32) return "space";
  if (code >= 48 && code <= 57) return "digit";
  return code >= 65 && code <= 90 ? "upper" : "sign";
}

/** Ends of lines and tabs are tokens of their own. */
const isBreak = (code: number) => code < 32;
