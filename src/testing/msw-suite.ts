import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createMockService, type MockOptions, type MockService } from "./msw.ts";

/**
 * Runs a fresh mock service around each test of a file. A request that nothing answers fails the test that sent it.
 * @returns the service of the test that runs now
 */
export function mockServicePerTest(options: () => MockOptions = () => ({})): () => MockService {
  let service = createMockService(options());
  const unhandled: string[] = [];
  const listen = () =>
    service.server.listen({
      onUnhandledRequest: (request) => {
        unhandled.push(`${request.method} ${request.url}`);
        throw new Error(`No mock for ${request.method} ${request.url}`);
      },
    });
  beforeAll(listen);
  // What this returns runs after every afterEach, so after the page is gone: the next test hears nothing of its requests.
  beforeEach(() => () => {
    const faults = [...service.faults, ...unhandled.splice(0)];
    service.server.close();
    service = createMockService(options());
    listen();
    expect(faults).toEqual([]);
  });
  afterAll(() => service.server.close());
  return () => service;
}
