import { createServer } from "node:net";
import { z } from "zod";
import type { Config } from "../config.ts";
import { instanceOf } from "../credentials/instance.ts";
import { askInstance } from "../http/health.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import { ownSecret } from "./belongings.ts";
import { type Finding, ok, problem, skipped, warning } from "./finding.ts";

/** For the answer of the public address, in milliseconds. */
const answerMs = 10_000;

/** The port, and the address that people use where another one was named. */
export async function examineAddresses(config: Config): Promise<readonly Finding[]> {
  const secret = ownSecret(config);
  const instance = secret === null ? null : instanceOf(secret);
  const running = await askInstance(config.host, config.port);
  const isOurs = running !== null && running === instance;
  return [
    await portOf(config, running, instance),
    config.publicUrl === null
      ? ok("address.public", `People use http://localhost:${config.port}; --public-url names another`)
      : isOurs
        ? await publicAddress(config.publicUrl, instance)
        : skipped("address.public", `Whether ${config.publicUrl} leads here shows when the service runs`),
  ];
}

/** @param running what answers there @param instance this configuration's; null: its secret is not known */
async function portOf(
  { host, port }: Config,
  running: string | null,
  instance: string | null,
): Promise<Finding> {
  const check = "address.port";
  if (running !== null && running === instance) return ok(check, `The service runs on port ${port}`);
  const choose = "Stop it, or choose another with --port";
  if (running !== null && instance === null)
    return warning(
      check,
      `A Wheelhouse has port ${port}; whether it is this one cannot be told without its secret`,
      "Set WHEELHOUSE_SECRET to that of the service, or look at --data",
    );
  if (running !== null) return problem(check, `Another Wheelhouse has port ${port}`, choose);
  const refused = await new Promise<unknown>((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (refused === null) return ok(check, `Port ${port} of ${host} is free`);
  if (codeOf(refused) === "EADDRINUSE") return problem(check, `Another program has port ${port}`, choose);
  const why = codeOf(refused) ?? sentenceOf(refused);
  return problem(check, `${host} port ${port} cannot be had (${why})`, "Name another with --host and --port");
}

const healthBody = z.object({ service: z.literal("wheelhouse"), instance: z.string() });

/** Goes the way that people's browsers go: through the name, the certificate and the proxy. */
async function publicAddress(url: string, instance: string | null): Promise<Finding> {
  const check = "address.public";
  const asked = `${url}/healthz`;
  let answer: Response;
  try {
    answer = await fetch(asked, { redirect: "manual", signal: AbortSignal.timeout(answerMs) });
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const action =
      "Look at its name, its certificate and the proxy; from here it may be out of reach although people reach it";
    return warning(check, `${asked} cannot be reached: ${sentenceOf(cause)}`, action);
  }
  if (answer.status === 421)
    return problem(
      check,
      `${asked} is refused by the service's own look at the host`,
      "Have the proxy hand on Host as it came, or name what it sends with --allowed-host",
    );
  if (answer.status >= 300 && answer.status < 400)
    return problem(
      check,
      `${asked} redirects to ${answer.headers.get("location") ?? "nowhere"}`,
      "Name the address that needs no redirect with --public-url",
    );
  const body = healthBody.safeParse(await answer.json().catch(() => null));
  if (!body.success)
    return problem(
      check,
      `${asked} answers ${answer.status}, but not as this service does`,
      "Have the proxy pass everything to this service",
    );
  if (body.data.instance !== instance)
    return problem(
      check,
      `${url} leads to another Wheelhouse`,
      "Correct --public-url, or where the proxy leads",
    );
  return ok(check, `${url} leads here`);
}
