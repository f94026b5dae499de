/** The conformance suite wants a function of Node 22 at its start, for a command that no test uses: lets it start with Node 20. */
import { register } from "node:module";

const source = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const files = source(`export * from "node:fs"; export const globSync = () => [];`);
register(
  source(`export const resolve = (name, context, next) =>
    name === "fs" ? { url: ${JSON.stringify(files)}, shortCircuit: true } : next(name, context);`),
);
