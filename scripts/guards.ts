import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Guard, guardVariable } from "../src/testing/guards/guard.ts";
import { guards } from "../src/testing/guards/guards.ts";
import { judgeGuard } from "./test/guard-verdict.ts";
import type { TestReport } from "./test/report.ts";
import { runRound } from "./test/rounds.ts";

/**
 * Switches off one guard of the product after the other and wants its tests red each time. Without names all of them; a
 * name may end in `*`. First the tests run once with every guard in place: only what is green then can show anything.
 */
const names = process.argv.slice(2);
const isNamed = (guard: Guard, name: string) =>
  name.endsWith("*") ? guard.id.startsWith(name.slice(0, -1)) : guard.id === name;
const unknown = names.filter((name) => !guards.some((guard) => isNamed(guard, name)));
if (unknown.length > 0) {
  console.error(`There is no guard ${unknown.join(", ")}.`);
  process.exit(2);
}
const chosen = guards.filter((guard) => names.length === 0 || names.some((name) => isNamed(guard, name)));

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-guards-"));
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function run(files: readonly string[], env: NodeJS.ProcessEnv, ...args: readonly string[]): TestReport {
  const round = { name: "unit tests", runner: "vitest", args: [...files, ...args] } as const;
  return runRound(round, join(folder, "report.json"), { quiet: true, env });
}

try {
  const begun = performance.now();
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const { passed, failed, faults } = run(files, {});
  const wrong = [...failed.map(({ file, name, error }) => `${file} › ${name}: ${error}`), ...faults];
  console.log(`with all guards: ${passed} tests of ${files.length} files passed, ${wrong.length} failed`);
  for (const one of wrong) console.log(`  ${one}`);

  const green: string[] = [];
  for (const [index, { id, tests, named }] of chosen.entries()) {
    const start = performance.now();
    const some = named === undefined ? [] : ["-t", named];
    const { isRed, text } = judgeGuard(run(tests, { [guardVariable]: id }, "--bail=1", ...some));
    if (!isRed) green.push(id);
    console.log(
      `${index + 1}/${chosen.length} ${isRed ? "red  " : "GREEN"} ${id} (${seconds(start)}): ${text}`,
    );
  }
  console.log(
    `${chosen.length - green.length} of ${chosen.length} guards bite, ${green.length} do not, in ${seconds(begun)}`,
  );
  if (green.length > 0) console.log(`not seen by any test: ${green.join(", ")}`);
  if (green.length > 0 || wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
