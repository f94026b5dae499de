import { countText } from "../count-text.ts";
import { problemLine, WorkspaceError } from "./problem.ts";
import { readWorkspace, type Workspace } from "./read-workspace.ts";

/**
 * A workspace folder that can be loaded.
 * @throws WorkspaceError with all problems
 */
export async function openWorkspace(directory: string): Promise<Workspace> {
  const { workspace, problems } = await readWorkspace(directory);
  if (!workspace || problems.length > 0) throw new WorkspaceError(problems);
  return workspace;
}

/** What is said of a workspace folder that can be loaded. */
export const inOrder = (directory: string, { flows, agents }: Pick<Workspace, "flows" | "agents">): string =>
  `${directory} is in order: ${countText(flows.length, "flow")}, ${countText(agents.length, "agent")}`;

/**
 * The command `check DIR`.
 * @param out takes one line at a time
 * @returns the exit code: 0 without problems, else 1
 */
export async function runCheck(directory: string, out: (line: string) => void): Promise<number> {
  const { workspace, problems } = await readWorkspace(directory);
  for (const problem of problems) out(problemLine(problem));
  if (workspace === null || problems.length > 0)
    out(`${countText(problems.length, "problem")} in ${directory}`);
  else out(inOrder(directory, workspace));
  return problems.length === 0 ? 0 : 1;
}
