import { test as base, expect } from "@playwright/test";
import { Service, type StartOptions } from "./service.ts";

/** Playwright's test without a browser: `start` gives services that end with the test. */
export const test = base.extend<{ start: (options?: StartOptions) => Promise<Service> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  start: async ({}, use) => {
    const started: Service[] = [];
    await use(async (options) => {
      const service = await Service.spawn(options);
      started.push(service);
      await service.ready();
      return service;
    });
    for (const service of started.reverse()) await service.signal("SIGTERM");
    // Several may share a folder, which the last of them needs to end in order.
    for (const service of started) service.removeData();
  },
});

export { expect };
