/** The whole numbers of the robustness tests; WHEELHOUSE_LONG=1 is set by the npm script. */
export { default } from "./vitest.config.ts";
