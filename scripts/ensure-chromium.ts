import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";

const candidates = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function firstExecutable(paths: readonly (string | undefined)[]): string | null {
  for (const path of paths) {
    if (path === undefined || path === "") continue;
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not this one.
    }
  }
  return null;
}

function playwrightsOwn(): string | undefined {
  const require = createRequire(import.meta.url);
  const playwright: { chromium: { executablePath(): string } } = require("playwright-core");
  return playwright.chromium.executablePath();
}

function run(command: string, args: readonly string[]): boolean {
  console.log(`> ${command} ${args.join(" ")}`);
  return (
    spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } })
      .status === 0
  );
}

/**
 * The path of a Chromium for the browser tests: `CHROMIUM_PATH`, an installed one, or one installed now
 * (Debian's package as root, else Playwright's download).
 * @throws Error with one line that says what to do, when none can be had
 */
export function ensureChromium(): string {
  const find = () => firstExecutable([...candidates, playwrightsOwn()]);
  const found = find();
  if (found !== null) return found;
  const mayInstall = process.getuid?.() === 0 && firstExecutable(["/usr/bin/apt-get"]) !== null;
  if (mayInstall)
    run("apt-get", ["update"]) && run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  else run("npx", ["playwright", "install", "chromium"]);
  const installed = find();
  if (installed === null)
    throw new Error(
      "No Chromium for the browser tests. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.",
    );
  return installed;
}

/** What Playwright turns off. Of two lists Chromium takes the last one, so that ours has to name these too. */
const featuresOfPlaywright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Pages of the address bar: each window would load four hundred scripts for a bar that nobody sees. */
const windowFeatures = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** A process kept ready for the next site: with one site and two cores it is only work. */
const spareProcess = ["SpareRendererForSitePerProcess"];

/** Flags that keep a headless Chromium off the network and able to run as root. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...featuresOfPlaywright, ...windowFeatures, ...spareProcess].join(",")}`,
];
