import { Blob as WholeBlob } from "node:buffer";
import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { getArtifactDownload } from "../../../../contract/artifacts.ts";
import { listSessions } from "../../../../contract/sessions.ts";
import { anArtifact } from "../../../../testing/access.ts";
import { fileUrl, serveFiles } from "../../../../testing/artifact-files.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { viewSizes } from "../../../../testing/view-sizes.ts";

vi.stubGlobal("Blob", WholeBlob);
viewSizes({ row: 20 });
const service = mockServicePerTest();

describe("a file that is shown when it is asked for has the focus then", () => {
  it.each([
    ["Show anyway", "a.txt", { size: 12_000_000 }],
    ["Show as text", "a.zip", { media_type: "application/zip", size: 12 }],
  ])("after “%s”", async (name, filename, metadata) => {
    serveFiles(service(), { first: "one\ntwo" });
    const file = { filename, media_type: null, size: null };
    service().override(getArtifactDownload, { ...file, download_url: fileUrl("first") });
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().state.artifacts = [anArtifact({ id: "art_1", filename, metadata, url: fileUrl("first") })];
    const { user } = renderConsole("/artifacts/art_1");
    (await screen.findByRole("button", { name })).focus();
    await user.keyboard("{Enter}");
    await screen.findByText("two");
    expect(screen.getByRole("region", { name: "The file" })).toHaveFocus();
  });
});
