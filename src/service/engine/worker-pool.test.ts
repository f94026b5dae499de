import { expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
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
