import { StateShape } from "../../../ui/StateShape.tsx";
import type { Tone } from "../../../ui/tone.ts";
import type { Check } from "../sign-in.ts";

type Props = {
  checks: readonly Check[];
  connection: string;
  /** Names of the teams, once they are known; null where the service does not tell. */
  teams: readonly { name: string }[] | null;
};

const tones: Record<Check["status"], Tone> = {
  waiting: "waiting",
  running: "running",
  passed: "done",
  skipped: "waiting",
  failed: "failed",
};

/** What is looked at before the sign-in; each line as it passes. */
export function CheckLines({ checks, connection, teams }: Props) {
  const begun = checks.filter((check) => check.status !== "waiting");
  if (begun.length === 0) return null;
  return (
    <ul aria-label="Checks" aria-live="polite" className="flex flex-col gap-2 border-y py-2.5">
      {begun.map((check) => (
        <li key={check.name} className="flex items-center gap-2.5">
          <StateShape tone={tones[check.status]} label={check.status} />
          <span className="flex-1">{words(check, connection, teams)}</span>
          <span className="text-muted text-secondary tabular-nums">{aside(check, teams)}</span>
        </li>
      ))}
    </ul>
  );
}

function words({ name, status }: Check, connection: string, teams: Props["teams"]): string {
  const isOver = status === "passed" || status === "skipped";
  switch (name) {
    case "answers":
      return status === "failed"
        ? `${connection} does not answer`
        : isOver
          ? `${connection} answers`
          : `Asking ${connection}`;
    case "accepted":
      return status === "failed" ? "The key is refused" : isOver ? "The key is accepted" : "Trying the key";
    case "teams":
      if (status === "skipped") return "This service does not list teams";
      if (!isOver || teams === null) return isOver ? "Your teams are known" : "Asking for your teams";
      return teams.length === 0
        ? "You are in no team"
        : teams.length === 1
          ? "You are in 1 team"
          : `You are in ${teams.length} teams`;
    case "abilities":
      if (status === "skipped") return "It has the interface itself, and no list of extensions";
      return isOver ? "What this service can do is known" : "Reading what this service can do";
  }
}

function aside(check: Check, teams: Props["teams"]): string {
  if (check.name === "teams" && check.status === "passed" && teams)
    return teams.map((team) => team.name).join(", ");
  if (check.ms === null) return "";
  return check.ms < 1000 ? `${Math.round(check.ms)} ms` : `${(check.ms / 1000).toFixed(1)} s`;
}
