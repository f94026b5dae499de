import type { Config } from "../config.ts";
import { examineAddresses } from "./addresses.ts";
import { examineDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";
import { examineFolders } from "./folders.ts";
import { examineIdentityProvider } from "./identity-provider.ts";
import { examineServers } from "./mcp-servers.ts";
import { examineModels } from "./models.ts";
import { examineTraceCollector } from "./trace-collector.ts";
import { examineWorkspace } from "./workspace.ts";

/**
 * Looks at everything that an installation needs. Changes nothing but a file that it writes and removes again; an embedded
 * database that does not run is started for the moment. Takes a quarter of a minute at most where nothing answers.
 * @param filesGiven whether `--files` was given: all processes on one database need the same folder
 * @returns in the order of their tables: this machine, the workspace, the database, who is reached from here
 */
export async function examine(config: Config, filesGiven: boolean): Promise<readonly Finding[]> {
  const groups = await Promise.all([
    examineFolders(config, filesGiven),
    examineWorkspace(config),
    examineDatabase(config),
    examineAddresses(config),
    examineModels(config),
    examineIdentityProvider(config),
    examineServers(config),
    examineTraceCollector(config),
  ]);
  return groups.flat();
}
