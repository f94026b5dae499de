import { renderHook, waitFor } from "@testing-library/react";
import { afterAll, expect, it, vi } from "vitest";
import { signedInWheelhouse, testWorkers } from "../../../../testing/test-wheelhouse.ts";

// pdf.js is not for this Node, and waits without end for a worker that says nothing.
vi.doMock("pdfjs-dist", () => ({
  PDFWorker: { create: () => ({ destroy() {} }) },
  getDocument: () => ({ promise: new Promise(() => {}), destroy: async () => {} }),
}));
// The files share their modules, and others have read the real one.
vi.resetModules();
const { ApiProvider } = await import("../../../lib/api.tsx");
const { usePdf } = await import("./usePdf.ts");
afterAll(() => {
  vi.doUnmock("pdfjs-dist");
  vi.resetModules();
});

/** A worker that is there and says nothing. */
class Silent extends EventTarget implements Worker {
  readonly onmessage = null;
  readonly onmessageerror = null;
  readonly onerror = null;
  postMessage() {}
  terminate() {}
}

const bytes = new Uint8Array([37, 80, 68, 70]);

function open(pdf: () => Worker) {
  const { api } = signedInWheelhouse({}, { workers: testWorkers({ pdf }) });
  return renderHook(() => usePdf(bytes), {
    wrapper: ({ children }) => <ApiProvider api={api}>{children}</ApiProvider>,
  }).result;
}

it("a PDF whose reader cannot be started says so, and the page stays", async () => {
  const reading = open(() => {
    throw new Error("No workers here");
  });
  await waitFor(() => expect(reading.current.trouble).toBe("no reader"));
});

it("a PDF whose reader dies or cannot be loaded says so", async () => {
  const port = new Silent();
  const reading = open(() => port);
  port.dispatchEvent(new Event("error"));
  await waitFor(() => expect(reading.current.trouble).toBe("no reader"));
});
