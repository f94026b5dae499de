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
const workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

function withFile(filename: string, media_type: string | null): void {
  const metadata = media_type === null ? {} : { media_type };
  service().override(getArtifactDownload, {
    download_url: fileUrl("fresh"),
    filename,
    media_type,
    size: null,
  });
  service().state.artifacts = [
    anArtifact({ id: "art_1", agent_id: "agent_clerk", url: fileUrl("first"), filename, metadata }),
  ];
}

beforeEach(() => service().override(listSessions, { sessions: [], next_cursor: null }));

describe("C-10: a file that holds words and is called something else", () => {
  it.each([
    ["report.pdf", "text/plain", "a PDF"],
    ["report.pdf", "application/pdf", "a PDF"],
    ["report.pdf", null, "a PDF"],
    ["rates.xlsx", "text/plain", "a workbook"],
    ["rates.xlsx", workbook, "a workbook"],
  ])("%s of type %s is shown as it was written", async (name, type, called) => {
    const first = `Dear Ada, a PDF is not what this is. ${"Grüße. ".repeat(900)}`;
    const files = serveFiles(service(), { first, fresh: first });
    withFile(name, type);
    renderConsole("/artifacts/art_1");
    await screen.findByText(/^Dear Ada, a PDF is not what this is/);
    expect(screen.getByText(`It is named ${called} but contains text, shown as is.`)).toBeInTheDocument();
    expect(screen.queryByText("This file can’t be read")).toBeNull();
    // Read once, whichever way it is then shown.
    expect(files.asked).toHaveLength(1);
  });

  it.each(["photo.png", "talk.mp3", "film.mp4"])(
    "%s of type text/plain is shown as what its name says where it holds no words",
    async (name) => {
      const first = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d]);
      serveFiles(service(), { first, fresh: first });
      withFile(name, "text/plain");
      renderConsole("/artifacts/art_1");
      const shown = name === "photo.png" ? screen.findByAltText(name) : screen.findByLabelText(name);
      expect(await shown).toHaveAttribute("src", fileUrl("first"));
      expect(screen.queryByText("This file can’t be read")).toBeNull();
    },
  );

  it("photo.png of type text/plain is shown as it was written where it holds words", async () => {
    const first = "Dear Ada, a picture is not what this is.";
    serveFiles(service(), { first, fresh: first });
    withFile("photo.png", "text/plain");
    renderConsole("/artifacts/art_1");
    await screen.findByText(/^Dear Ada, a picture is not what this is/);
  });

  it.each([
    ["broken in a workbook's own way", "PK\u0003\u0004 and no more"],
    ["bytes that are no text", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
  ])("is told apart from what is %s", async (_, first) => {
    serveFiles(service(), { first, fresh: first });
    withFile("rates.xlsx", workbook);
    renderConsole("/artifacts/art_1");
    await screen.findByText("This file can’t be read");
    expect(screen.queryByText(/contains text/)).toBeNull();
  });
});
