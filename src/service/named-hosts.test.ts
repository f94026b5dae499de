import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../testing/database.ts";
import { mcpFor } from "../testing/mcp.ts";
import { modelRequest, modelSettings } from "../testing/model-tests.ts";
import { outgoingTests } from "../testing/outgoing.ts";
import type { Mcp } from "./mcp/mcp.ts";
import { createModels } from "./models/models.ts";
import { modelHosts } from "./models/settings.ts";

const { serve, client, get, never } = outgoingTests();
const name = "named.example";
let fresh: FreshStore;
let port: number;
beforeAll(async () => {
  fresh = await freshStore();
  port = await serve((_, response) => response.writeHead(418).end());
});
afterAll(() => fresh.drop());

/** What is refused wherever it leads is told by its kind; anything else has tried to connect. */
function kindOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === "OutgoingError" && "kind" in cause) return String(cause.kind);
  }
  return null;
}

const closed = [
  ...["169.254.169.254", "169.254.42.42", "168.63.129.16", "161.26.0.10", "199.36.153.4"],
  ...["100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42", "fe80::a9fe:a9fe"],
  ...["2600:2d00:2:1000::1", "2600:2d00:2:2000::1", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe"],
  ...["64:ff9b::a9fe:a9fe", "64:ff9b::a83f:8110", "2002:a9fe:a9fe::", "::a9fe:a9fe", "::ffff:0:a9fe:a9fe"],
];

describe("S-245 a name that the operator wrote, whose DNS says an address that a cloud keeps for itself", () => {
  /** The kind of what came of asking an MCP server of that name, by the room's own surface. */
  async function askedServer(address: string): Promise<string | null> {
    const kinds: (string | null)[] = [];
    const mcp: Mcp = mcpFor(
      fresh.store,
      { named: { url: `http://${name}:${port}/mcp` } },
      {
        outgoing: (own) => {
          const outgoing = client({ allowPrivate: own, lookup: async () => [address] });
          const fetch: typeof globalThis.fetch = (input, init) =>
            outgoing.fetch(input, init).catch((error: unknown) => {
              kinds.push(kindOf(error));
              throw error;
            });
          return { ...outgoing, fetch };
        },
      },
    );
    await mcp.listTools("named", null, never).catch(() => null);
    await mcp.close();
    return kinds[0] ?? null;
  }

  /** The same of a model. */
  async function askedModel(address: string): Promise<string | null> {
    const settings = modelSettings(`http://${name}:${port}/v1`, { local: "fake" });
    const outgoing = client({ allowPrivate: modelHosts(settings), lookup: async () => [address] });
    let kind: string | null = null;
    const fetch: typeof globalThis.fetch = (input, init) =>
      outgoing.fetch(input, init).catch((error: unknown) => {
        kind = kindOf(error);
        throw error;
      });
    const models = createModels(settings, { fetch });
    await models.ask(modelRequest({ signal: never })).catch(() => null);
    return kind;
  }

  test.each(closed)("is refused to MCP servers, models and flows alike: %s", async (address) => {
    expect(await askedServer(address)).toBe("refused");
    expect(await askedModel(address)).toBe("refused");
    const flow = client({ allowPrivate: [`${name}:${port}`], lookup: async () => [address] });
    await expect(get(flow, `http://${name}:${port}/`)).rejects.toMatchObject({ kind: "refused" });
  });

  test("is refused also beside an address that may be", async () => {
    const outgoing = client({
      allowPrivate: [`${name}:${port}`],
      lookup: async () => ["127.0.0.1", "169.254.169.254"],
    });
    await expect(get(outgoing, `http://${name}:${port}/`)).rejects.toMatchObject({ kind: "refused" });
  });

  test("leads to the operator's own machine and network as before", async () => {
    expect(await askedServer("127.0.0.1")).toBe(null);
    expect(await askedModel("127.0.0.1")).toBe(null);
    const outgoing = client({ allowPrivate: [`${name}:${port}`], lookup: async () => ["127.0.0.1"] });
    expect((await get(outgoing, `http://${name}:${port}/`)).status).toBe(418);
  });

  test("is not refused where the operator wrote that very address", async () => {
    for (const host of ["169.254.169.254", "[fd00:ec2::254]"]) {
      const outgoing = client({ allowPrivate: [`${host}:${port}`] });
      const signal = AbortSignal.timeout(100);
      const asked = await get(outgoing, `http://${host}:${port}/`, { signal }).catch(
        (error: unknown) => error,
      );
      expect(kindOf(asked), host).not.toBe("refused");
    }
  });
});

test("S-246: an IPv6 address that the operator allows is reached, however they spelt it", async () => {
  const six = await serve((_, response) => response.end("six"), "::1");
  for (const written of ["[::1]", "[0:0:0:0:0:0:0:1]"]) {
    const outgoing = client({ allowPrivate: [`${written}:${six}`] });
    expect((await get(outgoing, `http://[::1]:${six}/`)).text, written).toBe("six");
  }
});
