import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import type { Finding } from "../doctor/finding.ts";
import { requireAdmin } from "../permission/roles.ts";
import type { Handlers } from "./handler.ts";
import { timestamp } from "./times.ts";

type Diagnostics = Pick<Handlers<typeof endpoints>, "getDiagnostics">;

interface Look {
  readonly at: Date;
  readonly findings: readonly Finding[];
}

/** The look that goes on, of each service: it asks the database, object store, models and MCP servers, once for all. */
const looking = new WeakMap<Context["config"], Promise<Look>>();

function look(context: Context): Promise<Look> {
  const going = looking.get(context.config);
  if (going !== undefined) return going;
  const begun = lookNow(context).finally(() => looking.delete(context.config));
  looking.set(context.config, begun);
  return begun;
}

async function lookNow({ config, clock }: Context): Promise<Look> {
  // Read when it is first asked for: a start needs nothing of it.
  const { examine } = await import("../doctor/examine.ts");
  // A service that runs was given its place for files.
  return { findings: await examine(config, true), at: clock.now() };
}

/** Own. */
const getDiagnostics: Diagnostics["getDiagnostics"] = async (context, { caller }) => {
  requireAdmin(caller);
  const { at, findings } = await look(context);
  return {
    type: "body",
    body: {
      version: context.config.version,
      looked_at: timestamp(at),
      findings: findings.map((finding) => ({ ...finding })),
    },
  };
};

export const diagnosticsHandlers: Diagnostics = { getDiagnostics };
