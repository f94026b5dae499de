/**
 * `npm run dev`: the service from its sources, restarted at each change, behind Vite's server with hot reloading.
 * Further flags go to the service: `npm run dev -- --data /tmp/try --port 7800`.
 */
import { spawn } from "node:child_process";
import { createServer as createProbe } from "node:net";
import { parseArgs } from "node:util";
import { createServer } from "vite";

const { values } = parseArgs({
  options: { port: { type: "string" } },
  strict: false,
  allowPositionals: true,
});
const wanted = typeof values.port === "string" ? Number(values.port) : 7700;
const flags = process.argv
  .slice(2)
  .filter((flag, index, all) => flag !== "--port" && all[index - 1] !== "--port");

/** A port that nobody has, for the service behind Vite. */
async function freePort(): Promise<number> {
  const probe = createProbe();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const servicePort = await freePort();
process.env.WHEELHOUSE_DEV_SERVICE = `http://127.0.0.1:${servicePort}`;
const vite = await createServer({
  logLevel: "warn",
  clearScreen: false,
  server: { host: "localhost", port: wanted, strictPort: true },
});
await vite.listen();

// The link that the service prints opens the console that Vite serves.
const publicUrl = `http://localhost:${wanted}`;
const watch = ["watch", "--clear-screen=false", "--include", "./workspace/**/*"];
const start = ["src/service/main.ts", "start", "--port", String(servicePort), "--public-url", publicUrl];
const service = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", ...watch, ...start, ...flags], {
  stdio: "inherit",
  // An answer that the contract does not allow is an error here, as it is in tests.
  env: { ...process.env, WHEELHOUSE_CHECK_ANSWERS: "1" },
});

// Ctrl-C reaches the service by itself, and a second signal would cut its stop short.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => service.kill("SIGTERM"));
service.once("exit", async (code) => {
  await vite.close();
  process.exit(code ?? 1);
});
