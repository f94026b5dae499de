import { distance as editDistance } from "fastest-levenshtein";
import { isInputHeader } from "../../../../contract/input-headers.ts";

/** Where an input's value comes from, by the rules of §4.3. */
export type Origin =
  | { readonly from: "body"; readonly value: unknown }
  | { readonly from: "header"; readonly header: string; readonly value: string }
  | { readonly from: "nothing" };

export interface Routed extends NamedInput {
  readonly origin: Origin;
  /** A body field that looks like a misspelling of this input. */
  readonly misspelt: string | null;
}

export interface Routing {
  readonly inputs: readonly Routed[];
  /** Body fields that fit no named input: they reach only a webhook input, inside the whole text. */
  readonly strays: readonly { readonly name: string; readonly meant: string | null }[];
  /** What a webhook input would get: the whole body as one text. */
  readonly webhook: string;
}

export interface NamedInput {
  readonly name: string;
  readonly isFile: boolean;
  /** What it is where nothing is sent. Absent: the service does not tell. */
  readonly otherwise?: Otherwise;
}

/** A run without it fails; or it has a default, as text: "" where the flow names none. */
export type Otherwise = { readonly isRequired: true } | { readonly isRequired: false; readonly text: string };

/** The inputs without which a run would fail, and which get nothing. */
export function missingInputs({ inputs }: Pick<Routing, "inputs">): string[] {
  return inputs
    .filter(({ origin, otherwise }) => origin.from === "nothing" && otherwise?.isRequired === true)
    .map(({ name }) => name);
}

/**
 * Which input gets what when this body and these headers are sent: a body field whose key is the input's name, else a
 * header of that name in any case, else nothing (the flow's default, else an empty text). A body field beats a header.
 */
export function routeInputs(
  inputs: readonly NamedInput[],
  body: Readonly<Record<string, unknown>>,
  headers: readonly (readonly [name: string, value: string])[],
): Routing {
  const names = new Set(inputs.map((input) => input.name));
  const strayNames = Object.keys(body).filter((key) => !names.has(key));
  const isGiven = (name: string) => Object.hasOwn(body, name);
  const missing = inputs.filter((input) => !isGiven(input.name)).map((input) => input.name);
  const strays = strayNames.map((name) => ({ name, meant: nearest(name, missing) }));
  return {
    inputs: inputs.map((input) => {
      const origin = originOf(input.name, body, headers);
      const stray = origin.from === "nothing" ? strays.find((one) => one.meant === input.name) : undefined;
      return { ...input, origin, misspelt: stray?.name ?? null };
    }),
    strays,
    webhook: JSON.stringify(body),
  };
}

function originOf(
  name: string,
  body: Readonly<Record<string, unknown>>,
  headers: readonly (readonly [string, string])[],
): Origin {
  if (Object.hasOwn(body, name)) return { from: "body", value: body[name] };
  const header = headers.find(
    ([key]) => key.trim().toLowerCase() === name.toLowerCase() && isInputHeader(key),
  );
  return header ? { from: "header", header: header[0].trim(), value: header[1] } : { from: "nothing" };
}

function nearest(name: string, candidates: readonly string[]): string | null {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  let best: { name: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const most = Math.min(2, Math.floor(candidate.length / 3));
    const [a, b] = [plain(name), plain(candidate)];
    // What is much longer is not measured: it may be of any length.
    const distance = Math.abs(a.length - b.length) > most ? Number.POSITIVE_INFINITY : editDistance(a, b);
    if (distance <= most && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance };
  }
  return best?.name ?? null;
}
