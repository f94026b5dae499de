import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Mcp } from "../service/mcp/mcp.ts";
import type { Store } from "../service/store/store.ts";
import { type FreshStore, freshStore } from "./database.ts";
import { type McpForTests, mcpFor } from "./mcp.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "./oauth-mcp-server.ts";
import { addPeople } from "./people.ts";

/** What the tests of one file about sign-ins to MCP servers share. */
interface SignInTests {
  /** With the people of `addPeople`, until the end of the file; nothing of a sign-in outlives its test. */
  readonly store: Store;
  /** A server that demands a sign-in, for one test. */
  readonly drive: OAuthMcpServer;
  /** The MCP room of one process, until the end of the test. @param servers absent: `drive` alone, called Drive */
  start(servers?: object, options?: McpForTests): Mcp;
}

/** Gives a test file a database, and each of its tests a server that demands a sign-in. */
export function signInTests(): SignInTests {
  let fresh: FreshStore | undefined;
  let drive: OAuthMcpServer | undefined;
  const open: Mcp[] = [];
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error("it is there from the first hook on");
    return one;
  };
  beforeAll(async () => {
    fresh = await freshStore();
    await addPeople(fresh.store);
  });
  afterAll(() => fresh?.drop());
  beforeEach(async () => {
    drive = await startOAuthMcpServer();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((mcp) => mcp.close()));
    await drive?.close();
    for (const table of ["mcp_connections", "mcp_sign_ins", "mcp_tools", "mcp_servers"] as const)
      await fresh?.store.db.deleteFrom(table).execute();
  });
  return {
    get store() {
      return there(fresh).store;
    },
    get drive() {
      return there(drive);
    },
    start(servers, options) {
      const usual = { drive: { name: "Drive", url: there(drive).url } };
      const mcp = mcpFor(there(fresh).store, servers ?? usual, options);
      open.push(mcp);
      return mcp;
    },
  };
}
