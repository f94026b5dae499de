import "../../../api/jitless.ts";
import { serve } from "../../../lib/workers/serve.ts";
import { runMethods } from "./run-service.ts";

// A module worker. It is asked by run-reader-client.ts and nothing else; its lines stay here for searching.
serve(runMethods(fetch.bind(self)));
