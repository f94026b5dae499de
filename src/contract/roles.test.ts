import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "./endpoints.ts";
import { neededRight, rightsOfRole, teamRights, teamRoles } from "./roles.ts";

/** A team's right, the roles that have it, and the endpoints that take it: the row of docs/administration.md. */
const rows = teamRights.map((right) => {
  const roles = teamRoles.filter((role) => rightsOfRole[role].includes(right));
  const names = Object.values(endpoints).filter((endpoint) => neededRight(endpoint) === right);
  return { right, roles, names: names.map(({ name }) => name) };
});

test("docs/administration.md has the table of roles as it is in the data", () => {
  const document = readFileSync(new URL("../../docs/administration.md", import.meta.url), "utf8");
  const cells = document
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  for (const { right, roles, names } of rows) {
    const row = cells.find(([, first]) => first === `\`${right}\``);
    expect(row?.[2], right).toBe(roles.join(", "));
    const written = [...(row?.[3] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(written.toSorted(), right).toEqual(names.toSorted());
  }
});
