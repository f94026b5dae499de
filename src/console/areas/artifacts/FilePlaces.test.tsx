import { Blob as WholeBlob } from "node:buffer";
import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getArtifactDownload } from "../../../contract/artifacts.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anArtifact } from "../../../testing/access.ts";
import { fileUrl, serveFiles } from "../../../testing/artifact-files.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

vi.stubGlobal("Blob", WholeBlob);
viewSizes({ row: 20 });

const service = mockServicePerTest();

/** The service has one text, at this address. */
function withFileAt(url: string) {
  const file = { id: "art_1", agent_id: "agent_clerk", filename: "a.txt", metadata: {}, url };
  service().state.artifacts = [anArtifact(file)];
  service().override(getArtifactDownload, {
    download_url: url,
    filename: "a.txt",
    media_type: null,
    size: null,
  });
}

beforeEach(() => service().override(listSessions, { sessions: [], next_cursor: null }));

describe("where a file lies", () => {
  it("shows a file that the service places at another name of this device, by the name that the console has", async () => {
    const { asked } = serveFiles(service(), { first: "Kept in Delft" });
    withFileAt(fileUrl("first").replace("localhost", "127.0.0.1"));
    renderConsole("/artifacts/art_1");
    await screen.findByText("Kept in Delft");
    expect(asked).toContain("first");
  });

  it.each([
    ["another port", "http://127.0.0.1:3001/api/v1/files/art_1"],
    ["another scheme", "https://127.0.0.1:3000/api/v1/files/art_1"],
    ["another machine", "http://127.0.0.1.example:3000/api/v1/files/art_1"],
  ])("C-05: takes %s for another place", async (_, url) => {
    withFileAt(url);
    renderConsole("/artifacts/art_1");
    await screen.findByText(`This file is stored at ${new URL(url).host}`);
  });
});
