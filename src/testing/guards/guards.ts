import type { Guard } from "./guard.ts";
import { permissionGuards } from "./permission.ts";

/** Every guard of the product that a unit test can see: `npm run guards` switches off one after the other. */
export const guards: readonly Guard[] = [...permissionGuards];
