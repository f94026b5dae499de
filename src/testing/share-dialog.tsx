import "@testing-library/jest-dom/vitest";
import { render, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect } from "vitest";
import { Providers } from "../console/app/frame/Providers.tsx";
import type { SignedIn } from "../console/areas/session/signed-in.ts";
import ShareDialog from "../console/areas/sharing/ShareDialog.tsx";
import { ApiProvider } from "../console/lib/api.tsx";
import { PreferencesStore } from "../console/lib/preferences/preferences.tsx";
import { type ItemAccess, updateArtifactAccess } from "../contract/access.ts";
import { anArtifact, keepAccess, someAccess } from "./access.ts";
import type { MockService } from "./msw.ts";
import { aPerson } from "./person.ts";
import { signedInWheelhouse } from "./test-wheelhouse.ts";

/** What a person does in the sharing dialog of `art_rates`, and sees of it. */
export function shareDialogOn(service: () => MockService) {
  function open(as: Partial<SignedIn> = {}) {
    const { wheelhouse, api } = signedInWheelhouse(as);
    let isClosed = false;
    render(
      <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
        <ApiProvider api={api}>
          <ShareDialog
            artifact={anArtifact()}
            artifactId="art_rates"
            onClose={() => {
              isClosed = true;
            }}
          />
        </ApiProvider>
      </Providers>,
    );
    return { user: aPerson(), isClosed: () => isClosed };
  }
  /** Opens it on these settings; `settings.art_rates` is what the service holds. */
  async function openOn(access: ItemAccess = someAccess(), as: Partial<SignedIn> = {}) {
    const settings = keepAccess(service(), { art_rates: access });
    const opened = open(as);
    await screen.findByRole("region", { name: "Who will have access" });
    return { ...opened, settings };
  }
  const sentence = () => screen.getByRole("region", { name: "Who will have access" });
  const field = () => screen.getByRole("combobox", { name: "People by e-mail, or a team" });
  const add = async (user: UserEvent, who: string) => {
    await user.type(field(), `${who}{Enter}`);
    await user.click(screen.getByRole("button", { name: "Add" }));
  };
  return {
    open,
    openOn,
    /** The same with Mary added, which is not applied yet. */
    openWithMary: async () => {
      const opened = await openOn();
      await add(opened.user, "mary@example.com");
      return opened;
    },
    field,
    sentence,
    holds: async (text: RegExp) => waitFor(() => expect(sentence()).toHaveTextContent(text)),
    apply: () => screen.getByRole("button", { name: /^Apply/ }),
    add,
    /** The next change arrives, so that the service holds this; its answer does not. */
    loseAnswer: (settings: Record<string, ItemAccess>, access: ItemAccess) => {
      const arrives = () => {
        settings.art_rates = access;
        return Response.error();
      };
      service().override(updateArtifactAccess, arrives, { times: 1 });
    },
    /** The bodies of the changes that were sent. */
    changes: () =>
      service()
        .seen(updateArtifactAccess)
        .map(({ body }) => body),
  };
}
