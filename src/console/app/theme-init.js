// What and why: src/console/lib/preferences/preferences.tsx. It stands in the page itself (scripts/build/scripts-in-page.ts).
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = {};
  const read = (name) => {
    try {
      return localStorage.getItem(`wheelhouse:${name}`) ?? chosen[name];
    } catch {
      return chosen[name];
    }
  };
  const apply = () => {
    const theme = read("theme");
    root.dataset.theme = theme === "light" || theme === "dark" ? theme : dark.matches ? "dark" : "light";
    root.dataset.density = read("density") === "compact" ? "compact" : "normal";
    root.dataset.keys = read("keys") === "off" ? "off" : "on";
  };
  apply();
  // What stands in the page is the frame (frame/FrameShell.tsx) for who has signed in, in this tab, and else the sign-in.
  const [, area = ""] = location.pathname.split("/");
  try {
    if ((sessionStorage.getItem("wheelhouse:session") === null) === (area === "sign-in"))
      root.dataset.frame = `/${area}`;
  } catch {}
  dark.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("wheelhouse:appearance", (event) => {
    chosen = event.detail ?? {};
    apply();
  });
})();
