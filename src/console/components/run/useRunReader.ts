import { createRunReader, type RunReader } from "../../workers/run-reader-client.ts";
import { useApi } from "../api-context.tsx";

/** The reader of this connection, with the log of each run as far as it was read. For parts that show a log. */
export function useRunReader(): RunReader {
  return useApi().keep(createRunReader);
}
