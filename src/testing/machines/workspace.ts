import { randomBytes } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../source-files.ts";

/**
 * The sample workspace with two flows for load: `flow_outside` has an effect at `ledger`, writes a file and ends;
 * `flow_large` writes a file of some megabytes that packing makes little smaller.
 * @param ledger `host:port` of a ledger
 */
export function writeWorkspace(folder: string, ledger: string): void {
  cpSync(join(root, "workspace"), folder, { recursive: true });
  const settings = join(folder, "wheelhouse.yaml");
  const text = readFileSync(settings, "utf8");
  writeFileSync(settings, text.replace("allow_private: []", `allow_private: ["${ledger}"]`));
  const write = (name: string, nodes: object) =>
    // JSON is YAML.
    writeFileSync(
      join(folder, "flows", `${name}.yaml`),
      JSON.stringify({ id: `flow_${name}`, name, team: "team_harbor", nodes }),
    );
  write("outside", {
    name: { type: "input", default: "" },
    effect: {
      ...{ type: "http", method: "POST", url: `http://${ledger}/effect`, body: "{{ name.value }}" },
      retries: { times: 3, delay_s: 1 },
    },
    note: { type: "file", name: "note.txt", content: "{{ name.value }}", after: ["effect"] },
    answer: { type: "output", value: "{{ effect.value }}", after: ["note"] },
  });
  // What is repeated is longer than what packing looks back.
  const piece = randomBytes(45_000).toString("base64");
  write("large", {
    text: { type: "template", text: piece },
    large: { type: "file", name: "large.txt", content: "{{ text.value }}".repeat(70) },
    answer: { type: "output", value: "written", after: ["large"] },
  });
}
