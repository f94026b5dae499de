import { expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { WorkerPool } from "./worker-pool.ts";

test("S-05: a connection that its listener gives back twice, as it breaks while it stops, is given back once", async () => {
  const fresh = await freshStore();
  const pool = new WorkerPool(fresh.store.connection);
  const given = new Promise<number>((resolve, reject) => {
    pool.connect((error, _, done) => {
      if (error) return reject(error);
      try {
        done();
        done();
        resolve(pool.totalCount - pool.idleCount);
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
  expect(await given).toBe(0);
  await pool.close();
  await fresh.drop();
});

test("S-365: nor does the database go on with a statement of the queue that nobody waits for any more", async () => {
  const fresh = await freshStore();
  const { store } = fresh;
  const pool = new WorkerPool({ ...store.connection, query_timeout: 200 });
  const endless = "select count(*) from generate_series(1, 1000000000000) as endless";
  await expect(pool.query(endless)).rejects.toThrow("timeout");
  const atWork = { text: "select pid from pg_stat_activity where query = $1", values: [endless] };
  try {
    await until("it was given up", async () => (await store.query(atWork)).length === 0, 10_000);
  } finally {
    await store.query({
      text: `select pg_terminate_backend(pid) from (${atWork.text}) going`,
      values: [endless],
    });
    await pool.close();
    await fresh.drop();
  }
});
