/**
 * Makes garbage that is no longer young, for a test of when it is collected. The argument `early`: as the service collects it.
 * Writes the most that the heap had, in bytes, to standard output.
 */
import { getHeapStatistics } from "node:v8";
import { collectEarly } from "../service/cli/collect-early.ts";

if (process.argv[2] === "early") collectEarly();

const megabyte = (value: number) => new Array<number>(131_072).fill(value + 0.5);
const lives = Array.from({ length: 50 }, (_, at) => megabyte(at));
const lately: number[][] = [];
let most = 0;
for (let round = 0; round < 250; round++) {
  lately[round % 10] = megabyte(round);
  most = Math.max(most, getHeapStatistics().used_heap_size);
  // What collects in steps gets its turn.
  await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write(`${lives.length > 0 ? most : 0}\n`);
