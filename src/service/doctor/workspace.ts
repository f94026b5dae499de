import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { inOrder } from "../workspace/check.ts";
import { problemLine } from "../workspace/problem.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** What `wheelhouse check` says of the workspace, in short. */
export async function examineWorkspace({
  workspaceDirectory: path,
}: Pick<Config, "workspaceDirectory">): Promise<readonly Finding[]> {
  const check = "workspace";
  if (!existsSync(path))
    return [problem(check, `There is no folder ${path}`, "Name one that is there with --workspace")];
  const { workspace, problems } = await readWorkspace(path);
  const [first] = problems;
  if (first !== undefined || workspace === null) {
    const more = problems.length > 1 ? ` and ${problems.length - 1} more` : "";
    const found = first === undefined ? `${path} cannot be read` : `${problemLine(first)}${more}`;
    return [problem(check, found, `wheelhouse check ${path} lists all of it`)];
  }
  return [ok(check, inOrder(path, workspace))];
}
