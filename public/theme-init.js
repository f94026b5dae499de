// Runs before the first paint, so that no page flashes in the wrong theme. The same keys are written by the settings.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = {}; // what this page was told, for when the storage is blocked
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
  dark.addEventListener("change", apply);
  addEventListener("storage", apply); // another tab changed the settings
  addEventListener("wheelhouse:appearance", (event) => {
    chosen = event.detail ?? {}; // this tab did
    apply();
  });
})();
