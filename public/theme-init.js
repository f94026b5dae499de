// Runs before the first paint, so that no page flashes in the wrong theme. The same keys are written by the settings.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const read = (key) => {
    try {
      return localStorage.getItem(`wheelhouse:${key}`);
    } catch {
      return null; // storage may be blocked: follow the system
    }
  };
  const apply = () => {
    const choice = read("theme");
    root.dataset.theme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light";
    root.dataset.density = read("density") === "compact" ? "compact" : "normal";
  };
  apply();
  dark.addEventListener("change", apply);
  addEventListener("storage", apply); // another tab changed the settings
  addEventListener("wheelhouse:appearance", apply); // this tab did
})();
