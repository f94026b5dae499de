import { type Capability, capabilities } from "../../contract/console.ts";
import { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import type { Pause } from "../store/pause.ts";
import { personById } from "./console.ts";
import type { Caller, Handlers } from "./handler.ts";
import { teamsById } from "./teams.ts";

/** Extensions that are parts of other endpoints, by the endpoint that has them. */
const partsOf: Readonly<Record<string, readonly Capability[]>> = {
  getRun: ["run_files"],
  startPipeline: ["idempotency_keys"],
  updateAgent: ["builtin_tools"],
  updateArtifactAccess: ["link_password"],
};

/**
 * Own `GET /capabilities` ("Three tiers of endpoint"): an extension is there when an endpoint that carries it has a
 * function. With it goes whom the credential acts for, so that nobody has to type what their key says.
 * @param names of the endpoints that have one
 */
export function capabilityHandlers(
  names: () => readonly string[],
): Pick<Handlers<typeof endpoints>, "getCapabilities"> {
  return {
    getCapabilities: async (context, { caller }) => ({
      type: "body",
      body: {
        service: "wheelhouse",
        version: context.config.version,
        // Some databases cannot have its index.
        extensions: extensionsOf(names().filter((name) => name !== "search" || context.canSearch)),
        paused: asPaused(context.paused()),
        caller: await describeCaller(context, caller),
      },
    }),
  };
}

const asPaused = (pause: Pause | null) => pause && { ...pause, since: pause.since.toISOString() };

async function describeCaller(context: Context, caller: Caller) {
  if (caller.kind !== "team")
    return { kind: caller.kind, user: await personById(context, caller.userId), team: null };
  const [team = null] = await teamsById(context, [caller.teamId]);
  return { kind: caller.kind, user: null, team };
}

/** The extensions that a service with these endpoints has (`names` of the endpoint table), in the contract's order. */
export function extensionsOf(names: readonly string[]): Capability[] {
  const there = Object.values(endpoints).filter(({ name }) => names.includes(name));
  const carried = new Set<string | null>(there.map(({ capability }) => capability));
  for (const { name } of there) for (const part of partsOf[name] ?? []) carried.add(part);
  return capabilities.filter((name) => carried.has(name));
}
