/** Writes the JSON Schemas of the workspace's files to docs/schema. Run it after a change of these files' schemas. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { workspaceSchemas } from "../src/service/workspace/json-schemas.ts";

const folder = resolve(import.meta.dirname, "../docs/schema");
mkdirSync(folder, { recursive: true });
for (const [name, text] of workspaceSchemas()) {
  writeFileSync(join(folder, name), text);
  console.log(`docs/schema/${name}`);
}
