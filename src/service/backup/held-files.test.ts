import { afterAll, expect, it } from "vitest";
import { backUpInto, testFolder } from "../../testing/backup.ts";
import { startService } from "../../testing/service.ts";

const folder = testFolder();
afterAll(() => folder.remove());

it("S-99: has every file of its moment, though all of them are deleted while it is made; afterwards they go", async () => {
  const service = await startService({ work: false, empty: true });
  const { files, store, config } = service.context;
  const ids = Array.from({ length: 20 }, (_, n) => `file-number-${n}`);
  for (const id of ids) await files.write(id, `bytes of ${id}`);
  await store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}')`,
  );
  await store.pool.query(
    `insert into run_files (id, execution_id, name, media_type, size)
     select id, 'run', id, 'text/plain', 1 from unnest($1::text[]) id`,
    [ids],
  );
  let pieces = 0;
  const done = await backUpInto(
    folder.in("held"),
    { url: service.databaseUrl, files: config.filesAt },
    async () => {
      // When its moment has been taken, and no file yet.
      if (++pieces !== 4) return;
      await store.pool.query("delete from run_files");
      expect(await files.mayRemove()).toBe(false);
      for (const id of ids) await files.remove(id);
    },
  );
  expect(pieces).toBeGreaterThan(20);
  expect(done).toMatchObject({ files: 20, missing: 0 });
  for (const id of ids) await files.remove(id);
  expect(await files.size("file-number-0")).toBeNull();
  await service.stop();
});

it("says which files the database names and nobody has", async () => {
  const service = await startService({ work: false, empty: true });
  const { store, config } = service.context;
  await store.pool.query(`
    insert into executions (id, kind, root_id, depth, subject_id, input) values ('run', 'scripted', 'run', 0, 's', '{}');
    insert into run_files (id, execution_id, name, media_type, size) values ('gone-since', 'run', 'a', 'text/plain', 1);`);
  const done = await backUpInto(folder.in("gone"), {
    url: service.databaseUrl,
    files: config.filesAt,
  });
  expect(done).toMatchObject({ files: 0, missing: 1, missingIds: ["gone-since"] });
  await service.stop();
});
