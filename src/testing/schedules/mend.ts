import { isDatabaseUnavailable } from "../../service/store/store-error.ts";
import type { World } from "./world.ts";

/** All processes reach a database that takes everything again, by new connections: the old ones end, as sooner or later they would. */
export async function mendAll({ database, processes }: World): Promise<void> {
  await database.setReadOnly(false);
  for (const { proxy } of processes) {
    await proxy.cut();
    await proxy.mend();
  }
}

/**
 * Where the machine stands still for long the database ends transactions, and whoever has just connected is thrown out with all
 * others: it is made again.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || !isDatabaseUnavailable(error)) throw error;
    }
  }
}
