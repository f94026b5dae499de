import type { Config } from "../config.ts";
import { countText } from "../count-text.ts";
import { examine } from "../doctor/examine.ts";
import type { Finding } from "../doctor/finding.ts";
import type { Terminal } from "./terminal.ts";

const marks = { ok: "ok", warning: "WARNING", problem: "PROBLEM", skipped: "-" } as const;
const markWidth = 9;

/**
 * `wheelhouse doctor`: what is wrong with an installation, and what to do about it.
 * @param json as one JSON object, for programs
 * @returns the exit code: 1 where there is a problem; warnings are none
 */
export async function doctor(
  config: Config,
  { json, filesGiven }: { readonly json: boolean; readonly filesGiven: boolean },
  { print }: Terminal,
): Promise<number> {
  const findings = await examine(config, filesGiven);
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const isOk = count("problem") === 0;
  if (json) print(JSON.stringify({ version: config.version, ok: isOk, findings }));
  else {
    const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
    for (const { check, state, found, action } of findings) {
      print(`${marks[state].padEnd(markWidth)}${check.padEnd(width)}${found}`);
      if (action !== null) print(`${"".padEnd(markWidth + width)}${action}.`);
    }
    const counts = (["problem", "warning"] as const).map((state) => countText(count(state), state));
    print(`Wheelhouse ${config.version}: ${counts.join(", ")}`);
  }
  return isOk ? 0 : 1;
}
