import { expect } from "@playwright/test";
import { goldenAnswer } from "../src/testing/hostile/golden.ts";
import type { HostileRequest } from "../src/testing/hostile/server.ts";
import { pagePaths } from "./settled.ts";

/** Every page of the console behind the sign-in. The number makes it one that was not read before. */
const everyPage: readonly ((n: number) => string)[] = [
  () => "/",
  (n) => `/runs?q=a${n}`,
  () => "/runs/new",
  (n) => `/runs/new?flow=flow_${n}`,
  (n) => `/runs/run_${n}`,
  (n) => `/runs/run_${n}/again`,
  (n) => `/runs/compare?a=run_${n}&b=run_x${n}`,
  (n) => `/agents?q=a${n}`,
  (n) => `/agents?agent=ag_${n}`,
  () => "/agents/new",
  (n) => `/agents/new?from=ag_${n}`,
  (n) => `/agents/ag_${n}`,
  (n) => `/agents/ag_${n}/settings`,
  (n) => `/agents/ag_${n}/versions`,
  (n) => `/agents/ag_${n}/evaluations`,
  (n) => `/agents/ag_${n}/conversations/new`,
  (n) => `/agents/ag_${n}/conversations/int_${n}`,
  (n) => `/artifacts?q=a${n}`,
  (n) => `/artifacts/art_${n}`,
  (n) => `/artifacts/in/int_${n}`,
  () => "/artifacts/shared",
  () => "/evaluations",
  () => "/knowledge",
  (n) => `/knowledge/source_${n}`,
  () => "/inbox",
  () => "/inbox?state=answered",
  (n) => `/inbox/ask_${n}`,
  (n) => `/inbox/source_${n}?kind=source`,
  () => "/mcp",
  () => "/retention",
  (n) => `/admin?tab=people&q=a${n}`,
  () => "/admin?tab=teams",
  () => "/admin?tab=keys",
  () => "/admin?tab=sessions",
  () => "/admin?tab=connected",
  () => "/admin?tab=programs",
  (n) => `/admin?tab=permissions&user=user_${n}&object=agent&object_id=ag_${n}`,
  (n) => `/admin?tab=audit&object=agent&object_id=ag_${n}`,
  () => "/admin?tab=health",
  (n) => `/search?q=abc${n}`,
  (n) => `/oauth/consent?request=r${n}`,
  (n) => `/nowhere/${n}`,
];

/** Their addresses. Fails where a page of the console is not among them. */
export function everyPageAt(n: number): string[] {
  const addresses = everyPage.map((page) => page(n));
  const paths = addresses.map((address) => new URL(address, "http://console").pathname);
  const missing = pagePaths.filter(
    (pattern) => !pattern.test("/sign-in") && !paths.some((path) => pattern.test(path)),
  );
  expect(missing.map(String), "pages that are not looked at").toEqual([]);
  return addresses;
}

/** What a healthy service with every extension says; 404 to what it does not know. */
export function healthy({ method, path }: HostileRequest) {
  const found = goldenAnswer(method, path);
  return found === undefined
    ? { status: 404, json: { error: "not_found" } }
    : { status: found.status, json: found.json };
}
