import type { Guard } from "./guard.ts";

/** What keeps a database as it was when its schema cannot be brought up to date. */
export const upgradeGuards: readonly Guard[] = [
  {
    id: "migrations-all-or-nothing",
    codes: ["S-58"],
    holds: "A migration that fails undoes those before it.",
    file: "src/service/store/migrate.ts",
    text: "for (const migration of pending) await applyOne(client, migration);",
    off: 'for (const migration of pending) { await applyOne(client, migration); await client.query("commit; begin"); }',
    tests: ["src/service/upgrade/rehearse.test.ts"],
    named: "migrations that are pending",
  },
  {
    id: "migrations-wait-briefly",
    codes: ["S-58"],
    holds: "A migration does not queue behind a table that is held, with everybody else behind it.",
    file: "src/service/store/migrate.ts",
    text: "[String(waitMs)]",
    off: '["0"]',
    tests: ["src/service/upgrade/rehearse.test.ts"],
    named: "migrations that are pending",
  },
  {
    id: "migrations-breaking-refused",
    codes: ["S-58"],
    holds: "A release does not work on a database that a newer one has changed so that it cannot.",
    file: "src/service/store/migrate.ts",
    text: "works_from === null || works_from > here",
    off: "works_from === null",
    tests: ["src/service/upgrade/rehearse.test.ts"],
    named: "migrations that are pending",
  },
];
