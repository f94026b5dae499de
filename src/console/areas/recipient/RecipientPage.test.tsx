import "@testing-library/jest-dom/vitest";
import { act, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { linkPasswordHeader, openSharedLink } from "../../../contract/access.ts";
import type { Output } from "../../../contract/define.ts";
import { fileUrl, serveFiles } from "../../../testing/artifact-files.ts";
import { tagLike } from "../../../testing/hostile/payloads.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { aPerson } from "../../../testing/person.ts";
import { testClock } from "../../../testing/test-clock.ts";
import { testWorkers } from "../../../testing/test-wheelhouse.ts";
import { freeCaller } from "../../api/caller.ts";
import { PreferencesProvider, PreferencesStore } from "../../lib/preferences/preferences.tsx";
import { ClockProvider, type TickingClock } from "../../lib/time/clock.tsx";
import { surroundingsOf } from "./FilePreview.tsx";
import { RecipientPage } from "./RecipientPage.tsx";
import { tokenOf } from "./shared-link.ts";

const service = mockServicePerTest();

const base = "http://localhost:3000/api/v1";
const file: Output<typeof openSharedLink> = {
  filename: "rates.bin",
  media_type: "application/octet-stream",
  size: 4806,
  created_at: "2026-11-20T08:15:00Z",
  shared_by: "Ada Sample",
  role: "viewer",
  download_url: `${base}/files/art_1?signature=first`,
  preview_url: null,
};

/** Opens the page at `/shared/tok_1`, with a clock that the test moves. */
function openPage(token: string | null = "tok_1") {
  const time = testClock();
  const ticks = new Set<() => void>();
  const clock: TickingClock = {
    now: time.now,
    subscribe: (tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  };
  const caller = freeCaller("/api/v1", null, { origin: "http://localhost:3000", fetch, clock: time });
  const made = surroundingsOf(window, caller, {});
  // jsdom has no workers.
  const surroundings = Promise.resolve({ ...made, api: { ...made.api, workers: testWorkers() } });
  render(
    <PreferencesProvider store={new PreferencesStore()}>
      <ClockProvider clock={clock}>
        <RecipientPage caller={caller} surround={() => surroundings} token={token} />
      </ClockProvider>
    </PreferencesProvider>,
  );
  return {
    user: aPerson(),
    pass: (ms: number) =>
      act(async () => {
        await time.pass(ms);
        for (const tick of ticks) tick();
      }),
  };
}

/** The link has a password, which is asked for before anything else is answered. */
const asksFirst = () =>
  service().override(openSharedLink, new Refusal("link_password_required"), { times: 1 });
/** Types a password that the service refuses. */
async function typeWrong() {
  service().override(openSharedLink, new Refusal("link_password_wrong"));
  asksFirst();
  const opened = openPage();
  await opened.user.type(await screen.findByLabelText("Password"), "not this one{Enter}");
  await screen.findByText("Wrong password. Check upper and lower case.");
  return opened;
}
/** Types the right one. */
async function typeRight() {
  asksFirst();
  const opened = openPage();
  await opened.user.type(await screen.findByLabelText("Password"), "the right one{Enter}");
  return opened;
}
const passwords = () =>
  service()
    .seen(openSharedLink)
    .map(({ headers }) => headers.get(linkPasswordHeader));

describe("what a link opens", () => {
  it("shows the file, who shares it and what may be done, without a key and without an e-mail", async () => {
    service().override(openSharedLink, file);
    openPage();
    await screen.findByRole("heading", { level: 1, name: "rates.bin" });
    expect(screen.getByText("Ada Sample")).toBeInTheDocument();
    expect(screen.getByText(/4\.8 kB · you can view and download it/)).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("rates.bin · Wheelhouse"));
    const [request] = service().requests;
    expect(request?.headers.get("authorization")).toBeNull();
    expect(request?.headers.get("x-auth-key")).toBeNull();
    expect(passwords()).toEqual([null]);
  });

  it("C-37 saves from a fresh address, so that one that ended meanwhile does no harm", async () => {
    let reads = 0;
    service().override(openSharedLink, () => {
      reads += 1;
      return { ...file, download_url: `${base}/files/art_1?signature=nth${reads}` };
    });
    const { user } = openPage();
    const clicked: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      clicked.push(`${this.href} ${this.referrerPolicy}`);
    });
    await user.click(await screen.findByRole("button", { name: "Download" }));
    await waitFor(() => expect(clicked).toEqual([`${base}/files/art_1?signature=nth2 no-referrer`]));
    click.mockRestore();
  });

  it("saves by the name of this device that the page was opened by", async () => {
    const address = `${base}/files/art_1?signature=first`;
    service().override(openSharedLink, { ...file, download_url: address.replace("localhost", "127.0.0.1") });
    const clicked: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      clicked.push(this.href);
    });
    const { user } = openPage();
    await user.click(await screen.findByRole("button", { name: "Download" }));
    await waitFor(() => expect(clicked).toEqual([address]));
    click.mockRestore();
  });

  it("C-05 asks no other place for the file: it names the host and leaves the click to the person", async () => {
    service().override(openSharedLink, { ...file, download_url: "https://elsewhere.example/file" });
    const { user } = openPage();
    await user.click(await screen.findByRole("button", { name: "Download" }));
    const link = await screen.findByRole("link", { name: "Go there" });
    expect(link).toHaveAttribute("rel", "noopener noreferrer");
    expect(link.parentElement).toHaveTextContent(
      "It is stored at elsewhere.example, which this page does not load",
    );
  });

  it("C-22 says that the link ended when it was closed between opening and saving", async () => {
    service().override(openSharedLink, new Refusal("not_found"));
    service().override(openSharedLink, file, { times: 1 });
    const { user } = openPage();
    await user.click(await screen.findByRole("button", { name: "Download" }));
    await screen.findByRole("heading", { name: "This link no longer works" });
    expect(screen.queryByText("rates.bin")).toBeNull();
  });

  it("C-08 marks what turns the reading direction of a name", async () => {
    service().override(openSharedLink, { ...file, filename: "rates\u202Egpj.exe" });
    openPage();
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("rates⟨U+202E⟩gpj.exe");
  });
});

describe("the preview", () => {
  it("C-10 shows what is in the file without a key, and says where it cannot", async () => {
    service().override(openSharedLink, file);
    openPage();
    await screen.findByText("No preview for this file type");
    expect(service().requests).toHaveLength(1);
  });

  it("shows what looks like tags in markdown as the text that it is", async () => {
    serveFiles(service(), { first: tagLike.text });
    service().override(openSharedLink, {
      ...file,
      filename: "notes.md",
      media_type: "text/markdown",
      preview_url: fileUrl("first"),
    });
    openPage();
    await screen.findByText("Promise<string>");
    const shown = screen.getByRole("region", { name: "Text of notes.md" });
    for (const seen of tagLike.seen) expect(shown.textContent).toContain(seen);
  });
});

describe("a link with a password", () => {
  it("asks for it, tells nothing before, and sends it in a header alone", async () => {
    service().override(openSharedLink, file);
    asksFirst();
    const { user } = openPage();
    await screen.findByRole("heading", { name: "A file was shared with you" });
    expect(screen.getByRole("button", { name: "Open" })).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByLabelText("Password"), "schöner Morgen{Enter}");
    await screen.findByRole("heading", { name: "rates.bin" });
    expect(screen.getByText("Unlocked in this tab")).toBeInTheDocument();
    expect(passwords()).toEqual([null, encodeURIComponent("schöner Morgen")]);
    for (const { url } of service().requests) expect(url.search).toBe("");
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain("Morgen");
  });

  it("says that the password is wrong, at the field, and keeps what was typed", async () => {
    await typeWrong();
    expect(screen.getByLabelText("Password")).toHaveValue("not this one");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/Wrong password/);
  });

  it("lets a wrong password be typed over each time, not only the first", async () => {
    const { user } = await typeWrong();
    await user.keyboard("nor this{Enter}");
    await waitFor(() => expect(passwords()).toHaveLength(3));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Open" })).not.toHaveAttribute("aria-busy"),
    );
    await user.keyboard("the third{Enter}");
    await waitFor(() =>
      expect(passwords().slice(1)).toEqual(["not%20this%20one", "nor%20this", "the%20third"]),
    );
  });

  it("leaves the keyboard at the file once the password is right", async () => {
    service().override(openSharedLink, file);
    await typeRight();
    await screen.findByRole("heading", { name: "rates.bin" });
    expect(screen.getByRole("main")).toHaveFocus();
  });

  it("S-36 waits as long as the service says after too many tries, ticking, and sends nothing meanwhile", async () => {
    service().override(openSharedLink, file);
    service().override(openSharedLink, new Refusal("too_many_requests"), {
      times: 1,
      headers: { "retry-after": "25" },
    });
    const { user, pass } = await typeRight();
    expect(await screen.findByRole("timer")).toHaveTextContent("25 s");
    await user.type(screen.getByLabelText("Password"), "{Enter}");
    expect(passwords()).toHaveLength(2);
    await pass(15_000);
    await waitFor(async () => {
      await pass(0);
      expect(screen.getByRole("timer")).toHaveTextContent("10 s");
    });
    await pass(10_000);
    expect(screen.queryByRole("timer")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Open" }));
    await screen.findByRole("heading", { name: "rates.bin" });
  });

  it("keeps the password through a failure that says nothing of it", async () => {
    service().override(openSharedLink, file);
    service().override(openSharedLink, new Refusal("unavailable"), { times: 1 });
    const { user } = await typeRight();
    expect(await screen.findByRole("alert")).toHaveTextContent("Your password was not checked. Try again.");
    expect(screen.getByLabelText("Password")).toHaveValue("the right one");
    await user.click(screen.getByRole("button", { name: "Open" }));
    await screen.findByRole("heading", { name: "rates.bin" });
  });
});

it("C-47: keeps the file, and its password, where the service is away when it is downloaded", async () => {
  service().override(openSharedLink, file);
  const { user } = await typeRight();
  const download = await screen.findByRole("button", { name: "Download" });
  service().override(openSharedLink, () => Response.error(), { times: 1 });
  await user.click(download);
  expect(await screen.findByRole("alert")).toHaveTextContent(/^Not downloaded/);
  expect(screen.getByRole("heading", { name: "rates.bin" })).toBeInTheDocument();
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  await user.click(download);
  await waitFor(() => expect(click).toHaveBeenCalled());
  click.mockRestore();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(passwords().slice(1)).toEqual(Array(3).fill("the%20right%20one"));
});

describe("a link that opens nothing", () => {
  it("says one thing for all reasons, never that it expired, and can be tried again", async () => {
    service().override(openSharedLink, file);
    service().override(openSharedLink, new Refusal("not_found"), { times: 1 });
    const { user } = openPage();
    await screen.findByRole("heading", { name: "This link no longer works" });
    expect(document.body).not.toHaveTextContent(/expired/i);
    expect(screen.getByText("req_1")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "rates.bin" });
  });

  it("asks nothing for an address that is no link", async () => {
    openPage(tokenOf("/shared/a/b"));
    await screen.findByRole("heading", { name: "This link no longer works" });
    expect(service().requests).toEqual([]);
    expect([
      tokenOf("/shared/tok_1"),
      tokenOf("/shared/%2e%2e"),
      tokenOf("/shared/%"),
      tokenOf("/runs"),
    ]).toEqual(["tok_1", null, null, null]);
  });

  it("C-13 does not take a broken answer for the end of the link", async () => {
    service().override(openSharedLink, file);
    service().override(openSharedLink, new Response("<html>proxy</html>", { status: 502 }), { times: 1 });
    const { user } = openPage();
    expect(await screen.findByRole("alert")).toHaveTextContent("The link itself may still work.");
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByRole("heading", { name: "rates.bin" });
  });
});
