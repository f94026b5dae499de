import type { SourceIn } from "./sources.ts";

/** What sources are called where they are deleted. */
export const sourceNouns = { one: "source", many: "sources" } as const;

/** For whom a source is: "for team Harbor", "for everybody of the organisation". */
export function whoseWords(source: SourceIn, teamName: (id: string) => string): string {
  switch (source.scope) {
    case "personal":
      return "for its maker alone";
    case "team":
      return source.team_id ? `for team ${teamName(source.team_id)}` : "for a team";
    case "organization":
      return "for the whole organisation";
    default:
      return source.scope ? `for ${source.scope}` : "for nobody named";
  }
}

/** Who can find what is in it, once it is indexed. */
export function readersWords(source: SourceIn, teamName: (id: string) => string): string {
  switch (source.scope) {
    case "personal":
      return "Only conversations and runs of its maker find what is in it.";
    case "team":
      return `Everybody of team ${source.team_id ? teamName(source.team_id) : ""} can read what is in it, and the team's agents find it.`;
    case "organization":
      return "Everybody of the organisation can read what is in it.";
    default:
      return `Who can read it depends on its scope, ${source.scope || "which was not given"}.`;
  }
}
