import type { Config } from "tailwindcss";

/** States that have a colour of their own; "stopping" borrows the colours of "stopped". */
const states = ["running", "done", "failed", "stopped", "waiting", "unknown"] as const;
const ansi = ["red", "green", "yellow", "blue", "magenta", "cyan"] as const;

const role = (name: string) => `var(--${name})`;
const roles = (...names: string[]) => Object.fromEntries(names.map((name) => [name, role(name)]));

/**
 * Maps the role tokens of src/console/app/tokens.css to utilities. `theme` (not `extend`) replaces Tailwind's own scales,
 * so a raw palette class such as a numbered red makes no CSS at all.
 */
export default {
  content: [],
  theme: {
    screens: { sm: "40em", md: "56.25em", lg: "73.75em" },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      ...roles(
        "surface",
        "surface-sunken",
        "surface-raised",
        "surface-raised-hover",
        "surface-hover",
        "surface-pressed",
        "surface-selected",
        "surface-inverse",
        "scrim",
        "line",
        "line-strong",
        "line-check",
        "accent",
        "accent-hover",
        "accent-solid",
        "accent-bg",
        "accent-line",
        "on-accent",
        "focus",
        "chart-quiet",
        "chart-grid",
        "chart-ghost",
        "diff-add-bg",
        "diff-add-strong",
        "diff-del-bg",
        "diff-del-strong",
        "hit-bg",
        "hit-current-bg",
        "hit-mark",
        "on-hit",
      ),
      ...roles(...states.flatMap((s) => ["fg", "mark", "bg", "line"].map((part) => `state-${s}-${part}`))),
      ...roles(...ansi.map((name) => `ansi-${name}`)),
    },
    textColor: {
      default: role("text"),
      muted: role("text-muted"),
      faint: role("text-faint"),
      inverse: role("text-inverse"),
    },
    fontFamily: { text: role("font-text"), mono: role("font-mono") },
    // In rem, as the measures of tokens.css: who has set larger letters in the browser gets them.
    // Inter. The mono sizes are utilities in styles.css, because they also set the family and its features.
    fontSize: {
      title: ["1.25rem", { lineHeight: "1.75rem", letterSpacing: "-0.014em", fontWeight: "600" }],
      heading: ["0.9375rem", { lineHeight: "1.375rem", letterSpacing: "-0.006em", fontWeight: "600" }],
      body: ["0.8125rem", { lineHeight: "1.25rem" }],
      secondary: ["0.75rem", { lineHeight: "1rem" }],
      axis: ["0.6875rem", { lineHeight: "0.875rem" }],
      control: [role("control-type"), { lineHeight: "1.25rem" }],
    },
    fontWeight: { normal: "400", medium: "500", semibold: "600" },
    letterSpacing: { normal: "0", heading: "-0.006em", title: "-0.014em" },
    borderRadius: {
      none: "0",
      mark: "3px",
      tag: "4px",
      control: role("radius-control"),
      panel: role("radius-panel"),
      dialog: role("radius-dialog"),
      pill: role("radius-pill"),
      full: "9999px",
    },
    boxShadow: { none: "none", float: role("shadow-float"), dialog: role("shadow-dialog") },
    zIndex: {
      auto: "auto",
      ...Object.fromEntries(
        ["sticky", "bar", "drawer", "dialog", "menu", "toast", "tooltip"].map((name) => [
          name,
          role(`z-${name}`),
        ]),
      ),
    },
    transitionDuration: { DEFAULT: role("motion"), motion: role("motion") },
    extend: {
      spacing: roles(
        "control",
        "control-small",
        "row",
        "row-compact",
        "row-head",
        "row-group",
        "row-tall",
        "topbar",
        "tabs",
        "filters",
        "sidebar",
        "sidebar-narrow",
        "edge-left",
        "edge-right",
        "panel-list",
        "panel-detail",
        "panel-catalogue",
        "dialog",
        "dialog-top",
      ),
      maxWidth: { text: "72ch" },
    },
  },
} satisfies Config;
