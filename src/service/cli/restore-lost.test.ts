import { afterAll, beforeAll, expect, test } from "vitest";
import { backUpInto, backupSecret, testFolder } from "../../testing/backup.ts";
import { emptyDatabase } from "../../testing/database.ts";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { startService } from "../../testing/service.ts";
import { directoryFileStore } from "../files/file-store.ts";
import { parseCommand } from "./parse-command.ts";
import { restore } from "./restore.ts";

const folder = testFolder();
const file = folder.in("some.backup");
beforeAll(async () => {
  const service = await startService({ work: false, empty: true });
  const { files, store, config } = service.context;
  await files.write("file-number-1", "bytes");
  await store.pool.query(`
    insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}');
    insert into run_files (id, execution_id, name, media_type, size) values ('file-number-1', 'run', 'a', 'text/plain', 5);`);
  await backUpInto(file, { url: service.databaseUrl, files: config.filesAt });
  await service.stop();
});
afterAll(() => folder.remove());

/** Restores through a network of which something becomes at the very end. @returns what is there afterwards */
async function restored(name: string, atTheEnd: (network: DatabaseProxy) => void) {
  const database = await emptyDatabase();
  const network = await databaseProxy(database.url);
  const place = folder.in(name);
  atTheEnd(network);
  const variables = { DATABASE_URL: network.url, WHEELHOUSE_SECRET: backupSecret };
  const command = parseCommand(["restore", file, "--files", place], variables, folder.path);
  if (command.type !== "restore") throw new Error(`It was read as ${command.type}`);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await restore(command.config, command, { print: say, complain: say });
  await network.close();
  const store = await database.open();
  const { rows } = await store.pool.query("select id from run_files");
  await store.close();
  await database.drop();
  return { code, said: said.join("\n"), rows, size: await directoryFileStore(place).size("file-number-1") };
}
const last = "insert into audit_pending";

test("what was restored stays whole where only the answer to the last word was lost", async () => {
  expect(await restored("answered", (network) => network.breakAt("commit", "answered", last))).toMatchObject({
    ...{ code: 0, said: expect.stringContaining("PAUSED"), rows: [{ id: "file-number-1" }], size: 5 },
  });
});

test("nothing is left where the last word was lost", async () => {
  expect(await restored("before", (network) => network.breakAt("commit", "before", last))).toMatchObject({
    ...{ code: 1, rows: [], size: null },
  });
});

test("files are kept where nobody can tell whether the last word was heard", async () => {
  const cutAtTheEnd = (network: DatabaseProxy) => {
    let isLast = false;
    network.hangAt((sent) => {
      isLast ||= sent.includes(last);
      if (isLast && sent.includes("commit")) void network.cut();
      return false;
    });
  };
  expect(await restored("silent", cutAtTheEnd)).toMatchObject({
    ...{ code: 1, said: expect.stringContaining("its files were kept"), size: 5 },
  });
});
