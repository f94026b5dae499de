import { expect, test } from "vitest";
import { engineTests } from "../../testing/engine-tests.ts";
import { leaseSeconds } from "./claim.ts";

const tests = engineTests();

test("S-198: a transaction in which nobody says anything ends before a lease does", async () => {
  const { rows } = await tests.fresh.store.pool.query(
    "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::float8 as seconds",
  );
  expect(rows[0].seconds).toBeGreaterThan(0);
  expect(rows[0].seconds).toBeLessThan(leaseSeconds);
});
