import "../../../api/jitless.ts";
import { serve } from "../../../lib/workers/serve.ts";
import { searchMethods } from "./search-service.ts";

// A module worker of its own: a pattern that never comes to an end takes no log with it that somebody looks at.
serve(searchMethods({ fetch: fetch.bind(self) }));
