/** What the peer's console asks its service for: a queue with as many jobs as the sample has runs. */
export const peerQueue = "berths";

const began = Date.UTC(2026, 0, 5, 8);

const job = (id: number) => ({
  id: String(id),
  name: "Count the berths",
  timestamp: began + id * 60_000,
  processedOn: began + id * 60_000 + 200,
  finishedOn: began + id * 60_000 + 1_400,
  progress: 100,
  attempts: 1,
  attemptsStarted: 1,
  stalledCounter: 0,
  stacktrace: [],
  delay: 0,
  opts: { attempts: 1 },
  data: { from: String(id) },
  returnValue: { free: 42 },
  isFailed: false,
});

const counts = {
  ...{ latest: 24, active: 0, waiting: 0, "waiting-children": 0, prioritized: 0 },
  ...{ completed: 24, failed: 0, delayed: 0, paused: 0 },
};

const queue = {
  ...{ name: peerQueue, displayName: peerQueue, description: "", delimiter: "", type: "bullmq", counts },
  statuses: Object.keys(counts),
  jobs: Array.from({ length: 24 }, (_, at) => job(24 - at)),
  ...{ readOnlyMode: false, allowRetries: true, allowCompletedRetries: true, isPaused: false },
  ...{ globalConcurrency: null, activeRateLimitTtl: 0, supportsGlobalRateLimit: false },
  ...{ jobSchedulerCount: 0, hasWorkers: true },
};

const firstPage = (size: number) => ({
  ...queue,
  jobs: queue.jobs.slice(0, size),
  pagination: { pageCount: Math.ceil(queue.jobs.length / size), range: { start: 0, end: size - 1 } },
});

/** Its service's answer to an address below `/api`. */
export function peerAnswer(address: string): unknown {
  const { pathname, searchParams } = new URL(address, "http://peer");
  if (pathname === "/api/queues")
    return { queues: [firstPage(Number(searchParams.get("jobsPerPage") ?? 10))] };
  if (pathname.endsWith("/logs"))
    return Array.from({ length: 300 }, (_, at) => `berth ${at}: ${at % 7 === 0 ? "free" : "taken"}`);
  if (pathname.endsWith("/metrics")) return { completed: null, failed: null };
  if (pathname.endsWith("/flow")) return { nodeId: null, flowRoot: null, isFlowNode: false };
  const one = /^\/api\/queues\/[^/]+\/(\d+)$/.exec(pathname)?.[1];
  if (one !== undefined) return { job: job(Number(one)), status: "completed" };
  return {};
}
