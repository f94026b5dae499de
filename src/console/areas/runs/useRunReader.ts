import { useApi } from "../../lib/api/api-context.tsx";
import { createRunReader, type RunReader } from "./worker/run-reader-client.ts";

/** The reader of this connection, with the log of each run as far as it was read. For parts that show a log. */
export function useRunReader(): RunReader {
  return useApi().keep(createRunReader);
}
