import * as z from "zod/mini";

// Imported before everything else by the page, its worker and the tests: the page's rules forbid code made from text,
// and zod looks at this setting when a schema is made.
z.config({ jitless: true });
