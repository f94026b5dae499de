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
  const sentence = () => screen.getByRole("region", { name: "Who will have access" });
  const field = () => screen.getByRole("combobox", { name: "People by e-mail, or a team" });
  return {
    open,
    /** Opens it on these settings; `settings.art_rates` is what the service holds. */
    openOn: async (access: ItemAccess = someAccess(), as: Partial<SignedIn> = {}) => {
      const settings = keepAccess(service(), { art_rates: access });
      const opened = open(as);
      await screen.findByRole("region", { name: "Who will have access" });
      return { ...opened, settings };
    },
    field,
    sentence,
    holds: async (text: RegExp) => waitFor(() => expect(sentence()).toHaveTextContent(text)),
    apply: () => screen.getByRole("button", { name: /^Apply/ }),
    add: async (user: UserEvent, who: string) => {
      await user.type(field(), `${who}{Enter}`);
      await user.click(screen.getByRole("button", { name: "Add" }));
    },
    /** The bodies of the changes that were sent. */
    changes: () =>
      service()
        .seen(updateArtifactAccess)
        .map(({ body }) => body),
  };
}
