// A sample MCP server that works with dates. It talks over standard input and output, and needs neither network nor
// packages: it starts wherever this folder is copied to.
import { createInterface } from "node:readline";

const dayMs = 86_400_000;
const day = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "A day, such as 2026-11-20" };
const mostDays = 1_000_000;
const count = { type: "integer", minimum: -mostDays, maximum: mostDays };

const tools = [
  {
    name: "day_of_week",
    description: "Names the weekday of a day.",
    inputSchema: schema({ date: day }),
    run: ({ date }) => `${date} is a ${weekday(time("date", date))}.`,
  },
  {
    name: "add_days",
    description: "Counts days forwards, or backwards with a negative number.",
    inputSchema: schema({ date: day, days: count }),
    run({ date, days }) {
      if (!Number.isInteger(days) || Math.abs(days) > mostDays) {
        throw new ToolError(`days must be a whole number from -${mostDays} to ${mostDays}.`);
      }
      const then = time("date", date) + days * dayMs;
      return `${toText(then)}, a ${weekday(then)}.`;
    },
  },
  {
    name: "days_between",
    description: "Counts the days from one day to another.",
    inputSchema: schema({ from: day, to: day }),
    run: ({ from, to }) => `${(time("to", to) - time("from", from)) / dayMs} days.`,
  },
];

/** Told to whoever called, who may try again. */
class ToolError extends Error {}

function schema(properties) {
  return { type: "object", properties, required: Object.keys(properties) };
}

function time(field, text) {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // 2026-02-30 would become a day in March.
  if (Number.isNaN(at) || toText(at) !== text) {
    throw new ToolError(`${field} must be a day of the calendar, such as 2026-11-20.`);
  }
  return at;
}

function toText(at) {
  return new Date(at).toISOString().slice(0, 10);
}

function weekday(at) {
  return new Date(at).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
}

/** Versions of the protocol that say the same of all that this server does, the newest first. */
const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** What each method answers. */
const methods = {
  initialize({ protocolVersion }) {
    return {
      protocolVersion: versions.includes(protocolVersion) ? protocolVersion : versions[0],
      capabilities: { tools: {} },
      serverInfo: { name: "almanac", version: "1.0.0" },
    };
  },
  ping: () => ({}),
  "tools/list": () => ({ tools: tools.map(({ run: _, ...shown }) => shown) }),
  "tools/call"({ name, arguments: given = {} }) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new RpcError(-32_602, `There is no tool ${name}.`);
    try {
      return { content: [{ type: "text", text: tool.run(given) }] };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  },
};

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function answer({ method, params = {} }) {
  try {
    if (!Object.hasOwn(methods, method)) throw new RpcError(-32_601, `There is no method ${method}.`);
    return { result: methods[method](params) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

// One message a line, in JSON-RPC; one without an id is a notification, and wants no answer.
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) })}\n`);
}
