import { z } from "zod";
import { mcpFile } from "../mcp/config.ts";
import { agentFile, flowFile, sourceFile, wheelhouseFile } from "./schema.ts";

/** What each kind of file is called in docs/schema. */
const files = {
  wheelhouse: wheelhouseFile,
  flow: flowFile,
  agent: agentFile,
  source: sourceFile,
  mcp: mcpFile,
};
const titles = {
  wheelhouse: "wheelhouse.yaml: people, teams and settings of a workspace",
  flow: "flows/*.yaml: one flow",
  agent: "agents/*.yaml: one agent",
  source: "knowledge/*/source.yaml: one knowledge source",
  mcp: "mcp.json: MCP servers",
};

/**
 * The JSON Schemas of the workspace's files, made from the schemas that read them: file name to text. Editors complete
 * and check by them; `wheelhouse check` also looks at what files say of each other.
 */
export function workspaceSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).map(([name, schema]) => {
      const title = Object.entries(titles).find(([key]) => key === name)?.[1] ?? name;
      const made = z.toJSONSchema(schema, {
        io: "input",
        target: "draft-2020-12",
        reused: "inline",
        unrepresentable: "any",
      });
      const { $schema, ...rest } = made;
      return [`${name}.json`, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`];
    }),
  );
}
