import { Blob as WholeBlob } from "node:buffer";
import { screen, waitFor } from "@testing-library/react";
import { afterAll, expect, it, vi } from "vitest";
import { getArtifactDownload } from "../../../../contract/artifacts.ts";
import { listSessions } from "../../../../contract/sessions.ts";
import { anArtifact } from "../../../../testing/access.ts";
import { fileUrl, serveFiles } from "../../../../testing/artifact-files.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { viewSizes } from "../../../../testing/view-sizes.ts";

vi.stubGlobal("Blob", WholeBlob);
viewSizes();

/** Whether the next drawing of a page fails, as where the browser has no room for it. */
let fails = false;
const page = {
  getViewport: ({ scale }: { scale: number }) => ({ width: 600 * scale, height: 800 * scale }),
  getTextContent: async () => ({ items: [{ str: "the words" }] }),
  render: () => ({
    promise: fails ? Promise.reject(new Error("no room")) : Promise.resolve(),
    cancel() {},
  }),
};
vi.doMock("pdfjs-dist", () => ({
  PDFWorker: { create: () => ({ destroy() {} }) },
  getDocument: () => ({
    promise: Promise.resolve({ numPages: 1, getPage: async () => page }),
    destroy: async () => {},
  }),
}));
// The files share their modules, and others have read the real one.
vi.resetModules();
const { renderConsole } = await import("../../../../testing/render-console.tsx");
const { testWorkers } = await import("../../../../testing/test-wheelhouse.ts");
afterAll(() => {
  vi.doUnmock("pdfjs-dist");
  vi.resetModules();
});

const service = mockServicePerTest();

it("shows a page at one zoom that could not be drawn at another", async () => {
  const pdf = () => Object.assign(new EventTarget(), { terminate() {} });
  const part = { filename: "a.pdf", metadata: { media_type: "application/pdf" } };
  serveFiles(service(), { first: "%PDF-1.7\u0000" });
  service().state.artifacts = [anArtifact({ id: "art_1", url: fileUrl("first"), ...part })];
  service().override(listSessions, { sessions: [], next_cursor: null });
  service().override(getArtifactDownload, {
    ...{ download_url: fileUrl("first"), filename: part.filename, media_type: null, size: null },
  });
  fails = true;
  const { user } = renderConsole("/artifacts/art_1", { browser: { workers: testWorkers({ pdf }) } });
  await screen.findByText("This page is damaged");
  fails = false;
  await user.click(screen.getByRole("button", { name: "Zoom out" }));
  await screen.findByText("the words");
  await waitFor(() => expect(screen.queryByText("This page is damaged")).toBeNull());
});
