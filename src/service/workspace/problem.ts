/** Something wrong in a workspace folder. */
export interface Problem {
  /** Relative to the folder, with forward slashes. */
  readonly file: string;
  /** From 1; where the file as a whole is meant, 1. */
  readonly line: number;
  readonly column: number;
  /** `nodes.greeting.text`; "" where the file as a whole is meant. */
  readonly field: string;
  /** One plain sentence without the full stop. */
  readonly message: string;
}

/** The workspace cannot be loaded. The message is one line for each problem. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join("\n"));
    this.problems = problems;
  }
}

/** `flows/hello.yaml:7:3 nodes.greeting.text: there is no node "nam"` */
export function problemLine({ file, line, column, field, message }: Problem): string {
  return `${file}:${line}:${column} ${field === "" ? "" : `${field}: `}${message}`;
}
