import type { Guard } from "./guard.ts";

/** What keeps a command that was mistyped from doing harm. */
export const commandGuards: readonly Guard[] = [
  {
    id: "commands-make-no-database",
    codes: ["S-311"],
    holds: "A command for an installation that is there makes none where none is.",
    file: "src/service/cli/open-installation.ts",
    text: "if (databaseUrl === null && !hasDatabase(dataDirectory))",
    off: "if (databaseUrl === null && !hasDatabase(dataDirectory) && log === undefined)",
    tests: ["src/service/cli/no-database.test.ts"],
    named: "S-311: resume",
  },
  {
    id: "flags-have-values",
    codes: ["S-194"],
    holds: "A flag without a value is not taken for the folder in which the command is typed.",
    file: "src/service/cli/parse-command.ts",
    text: 'if (token.value === "") throw',
    off: "if (token.value === null) throw",
    tests: ["src/service/cli/parse-command.test.ts"],
    named: "taken for the folder where one is",
  },
  {
    id: "stopped-is-not-done",
    codes: ["S-332"],
    holds: "A command that is stopped before its end does not end as one that is done.",
    file: "src/service/cli/retention.ts",
    text: 'complain("Stopped. Begin again to go on.");\n    return 1;',
    off: 'complain("Stopped. Begin again to go on.");\n    return 0;',
    tests: ["src/service/cli/retention.test.ts"],
  },
];
