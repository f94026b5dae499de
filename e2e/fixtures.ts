import { test as base, expect, type Page } from "@playwright/test";
import { type CoreOnlyService, startCoreOnlyService } from "../src/testing/core-only/server.ts";
import { Service } from "./service.ts";

interface Watched {
  /** Console errors and page errors that a test allows, by a piece of their text. */
  readonly allow: (piece: string | RegExp) => void;
}

interface Shared {
  /** The real service, with a stranger's beside it: the connection `Stranger`. */
  readonly service: Service;
  /** A service that has the core of the interface and nothing else. */
  readonly coreOnly: CoreOnlyService;
}

/** What Chromium itself writes to the console for an answer that is no success: said by the page where it matters. */
const answerOfStatus = /^console: Failed to load resource: the server responded with a status of 4\d\d/;

/**
 * Playwright's test with one real service per worker, and a watch on every page: an uncaught error, an unexpected console
 * error, a violation of the content security policy or a request to another origin fails the test.
 */
export const test = base.extend<{ watched: Watched }, Shared>({
  coreOnly: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const coreOnly = await startCoreOnlyService();
      await use(coreOnly);
      await coreOnly.stop();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ coreOnly }, use) => {
      const service = await Service.start({ flags: ["--upstream", `Stranger=${coreOnly.url}`] });
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  watched: [
    async ({ context, service }, use) => {
      const problems: string[] = [];
      const allowed: (string | RegExp)[] = [answerOfStatus];
      const watch = (page: Page) => {
        page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
        page.on("console", (message) => {
          if (message.type() === "error") problems.push(`console: ${message.text()}`);
        });
      };
      for (const page of context.pages()) watch(page);
      context.on("page", watch);
      context.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(service.url) && !/^(data|blob|about):/.test(url))
          problems.push(`foreign request: ${url}`);
      });
      await use({ allow: (piece) => allowed.push(piece) });
      const unexpected = problems.filter(
        (problem) =>
          !allowed.some((piece) =>
            typeof piece === "string" ? problem.includes(piece) : piece.test(problem),
          ),
      );
      expect(unexpected).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
