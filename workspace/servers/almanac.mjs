// A sample MCP server that works with dates. It talks over standard input and output and needs no network.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const dayMs = 86_400_000;
const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "must look like 2026-11-20")
  .refine(
    (text) => !Number.isNaN(Date.parse(text)) && toText(Date.parse(text)) === text,
    "is no day of the calendar",
  )
  .describe("A day, such as 2026-11-20");

function toText(time) {
  return new Date(time).toISOString().slice(0, 10);
}

function weekday(time) {
  return new Date(time).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
}

function say(text) {
  return { content: [{ type: "text", text }] };
}

const server = new McpServer({ name: "almanac", version: "1.0.0" });

server.registerTool(
  "day_of_week",
  { description: "Names the weekday of a day.", inputSchema: { date } },
  (given) => say(`${given.date} is a ${weekday(Date.parse(given.date))}.`),
);

server.registerTool(
  "add_days",
  {
    description: "Counts days forwards, or backwards with a negative number.",
    inputSchema: { date, days: z.number().int().min(-1_000_000).max(1_000_000) },
  },
  (given) => {
    const time = Date.parse(given.date) + given.days * dayMs;
    return say(`${toText(time)}, a ${weekday(time)}.`);
  },
);

server.registerTool(
  "days_between",
  { description: "Counts the days from one day to another.", inputSchema: { from: date, to: date } },
  ({ from, to }) => say(`${(Date.parse(to) - Date.parse(from)) / dayMs} days.`),
);

await server.connect(new StdioServerTransport());
