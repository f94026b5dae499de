import { migrations } from "./migrations/index.ts";

/** The number of the schema that this release works with: that of its newest migration. */
export const schemaNumber: number = Math.max(...migrations.map(({ name }) => Number(name.slice(0, 4))));
