import type { Tone } from "../../console/ui/State.tsx";
import { State } from "../../console/ui/State.tsx";
import { StatePill } from "../../console/ui/Tag.tsx";
import { Part } from "./Part.tsx";

const states: [Tone, string, string, string][] = [
  ["running", "running", "Running", "turns; still under reduced motion"],
  ["done", "done", "Done", "the quiet case"],
  ["failed", "failed", "Failed", "the only bold red"],
  ["stopped", "stopped", "Stopped", "TERMINATED"],
  ["stopping", "stopping", "Kill requested", "until a poll shows TERMINATED"],
  ["waiting", "waiting", "Not started", "started, queued, draft, not signed in"],
  ["unknown", "PAUSED", "PAUSED", "a word that we do not know, as it came"],
];

export function StateParts() {
  return (
    <Part name="State: a shape and a word" remark="colour is the third sign, never the only one">
      <ul>
        {states.map(([tone, word, pill, remark]) => (
          <li key={tone} className="flex h-8 items-center">
            <span className="w-[104px]">
              <State tone={tone} word={word} />
            </span>
            <span className="w-[140px]">
              <StatePill tone={tone} word={pill} />
            </span>
            <span className="text-muted text-secondary">{remark}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
