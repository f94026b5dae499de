import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig } from "vitest/config";
import { withoutGuard } from "./src/testing/guards/plugin.ts";

/** More rounds, more seeds: `npm run test:long`. */
const long = process.env.WHEELHOUSE_LONG === "1";
/** Each of these takes an hour or more: `npm run test:long` starts them apart from all else. */
const hours = ["**/schedules.long.test.ts", "**/spoiled-requests.long.test.ts"];

export default defineConfig({
  plugins: withoutGuard(),
  test: {
    testTimeout: long ? 600_000 : 120_000,
    hookTimeout: 60_000,
    // What is waited for may take its time on a busy machine; what never comes is a failure all the same.
    expect: { poll: { timeout: 10_000 } },
    // More than two cores have: many files wait for a database, a process or a clock.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        extends: true,
        test: {
          name: "service",
          environment: "node",
          include: ["src/{contract,service,testing}/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...(long ? hours : ["**/*.long.test.ts"])],
          globalSetup: ["src/testing/database-setup.ts"],
          // Nothing of the service hides in its modules, so that many files can share them: a third less to do.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "hours",
          environment: "node",
          include: long ? hours : [],
          globalSetup: ["src/testing/database-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          // The few that need a window say so in their first line.
          name: "console-logic",
          environment: "node",
          isolate: false,
          include: ["src/console/**/*.test.ts"],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: "console",
          environment: "jsdom",
          // Reading the modules and making a window anew for each file would be half of the work.
          isolate: false,
          include: ["src/console/**/*.test.tsx"],
          setupFiles: ["src/testing/console-setup.ts"],
        },
      },
    ],
  },
});
