import { expect, it } from "vitest";
import { readSources } from "./source-files.ts";

/** What the console used to say, with what is said now. */
const replaced: readonly (readonly [now: string, old: RegExp])[] = [
  ["Previous …", /does: "\w+ (?:before|after)"/],
  ["No matching …", /"No \w+ fits"/],
  ["No … yet", /None began|Nothing was said yet|"No \w+ known yet/],
  ["ran 8 times", /was done \$/],
  ["a later run succeeds", /(?:goes|went) through on a later|later run goes through/],
  ["Waiting for you, for others", /"Wait for (?:you|others)"/],
  ["waiting", /"waits"\]\]/],
  ["Running, Done", /"Moving|"(?:working|completed)", (?:true|false)/],
  ["It isn’t a secret", /It is none|that it is no secret/],
  ["Send anyway", /all the same/],
  ["Name, A–Z", /By name/],
  ["Showing all …", /all that (?:the|this) service (?:lists|knows)/],
  ["Reconstructed from the log", /"read from the log|^\s*read from the log/m],
  ["Remove", /\bTake (?:out|away)\b/],
  ["Clear selection", /Let go of/],
  ["Link to share, no longer works", /opens? nothing|give away|given away/],
  ["Default model, Owner, Only you", /service.s choice|"Whose\b|Yours alone/],
  ["Retry, Reload, Refresh", /\bTry now\b|Read (?:again|now)\b/],
  ["Automatic", /"By itself"/],
  ["Hosted, Self-hosted, Custom", /Hosted by the service|Run by us|Custom addresses/],
  ["More actions", /More acts/],
  ["Local history", /[">]What this browser knows/],
  ["… not found, or you have no access", /with this id for you/],
  ["Stop run", /[">`]Kill(?:ing)? (?:this|run|\d|\$)/],
  ["Loading …, could not be loaded", /label="Reading \w|[">] ?could not be read/],
  ["someone, everyone, no one", /\b(?:[Ss]ome|[Ee]very|[Nn]o)body [a-z]/],
  ["Select", /[">`]Pick (?:\$|none|all)/],
];

const comment = /^\s*(?:\/\/|\/?\*).*$|\{\/\*.*\*\/\}/gm;

it("says in the console what people say, in one word for one thing", () => {
  const sources = ["src/console", "src/contract"]
    .flatMap((folder) => readSources(folder))
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .map(({ path, text }) => ({ path, text: text.replaceAll(comment, "") }));
  const found = replaced.flatMap(([now, old]) =>
    sources.filter(({ text }) => old.test(text)).map(({ path }) => `${path}: better “${now}”`),
  );
  expect(found).toEqual([]);
});
