import { Worker } from "node:worker_threads";

/**
 * Ends this process when it has grown by so much, whatever it is busy with: a thread of its own looks, as what takes memory
 * leaves no time to look. The operating system's number counts everything: also what lies outside the heap, where a PDF's
 * streams are unpacked. It ends it as well when whoever started it is gone.
 */
export function watchMemory(memoryMb: number): void {
  const most = process.memoryUsage.rss() + memoryMb * 1024 * 1024;
  new Worker(watch, { eval: true, env: {}, workerData: { most, parent: process.ppid } }).unref();
}

/** Fifty looks a second: a file fills some ten megabytes between two. */
const watch = `
const { workerData: { most, parent } } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > most) process.kill(process.pid, "SIGKILL");
}, 20);
`;
