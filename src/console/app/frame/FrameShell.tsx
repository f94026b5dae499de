import { SignInLayout } from "../../areas/session/sign-in/SignInLayout.tsx";
import { AppFrame } from "../../ui/AppFrame.tsx";
import { Brand } from "../../ui/Brand.tsx";
import { TopBar } from "../../ui/PageFrame.tsx";
import { SearchLook, Sidebar, SidebarItem } from "../../ui/Sidebar.tsx";
import { nav } from "./nav.tsx";

/** Shows where one is: the page's first script says which entry it is (`../theme-init.js`). */
const current = nav.map(({ to }) => `[data-frame="${to}"] .frame-shell nav [href="${to}"]`).join();

/**
 * The frame as the page itself brings it, drawn before any script has come; React puts the real one in its place. Only who
 * has signed in sees it; who asks for the sign-in sees what stands there. Made at build time (`scripts/build/frame-in-page.ts`), so there is nothing of a person in it, and
 * nothing in it acts or is read out: it would be gone under the hand.
 */
export function FrameShell() {
  return (
    <>
      <SignedIn />
      <div className="sign-in-shell" inert aria-hidden="true">
        <SignInLayout />
      </div>
    </>
  );
}

function SignedIn() {
  return (
    <div className="frame-shell" inert aria-hidden="true">
      <style nonce="__NONCE__">{`${current}{background:var(--surface-pressed);color:var(--text)}`}</style>
      <AppFrame
        sidebar={
          <Sidebar
            brand={
              <a href="/" className="rounded-control">
                <Brand />
              </a>
            }
            search={<SearchLook />}
            foot={<div className="sidebar-foot" />}
          >
            {nav.map(({ to, label, icon }) => (
              <SidebarItem key={to} icon={icon} isActive={false}>
                <a href={to}>{label}</a>
              </SidebarItem>
            ))}
          </Sidebar>
        }
      >
        <TopBar crumbs={null} />
      </AppFrame>
    </div>
  );
}
