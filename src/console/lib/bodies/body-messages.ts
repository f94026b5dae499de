import type { Damage } from "../../api/receive.ts";

/** The endpoints whose big answers are read here, by name, and where the long list is in them. */
export const listIn: Readonly<Record<string, readonly string[]>> = {
  agentStatus: ["messages"],
  getSession: ["session", "messages"],
};

/** From the page to the worker. */
export type ToBodies =
  | {
      readonly type: "read";
      readonly id: number;
      /** Name of the endpoint, one of `listIn`. */
      readonly endpoint: string;
      /** What was asked, the same at each read of it. */
      readonly key: string;
      readonly text: string;
      /** The `id` of the read of this key whose answer the page holds; null for none. */
      readonly have: number | null;
    }
  | { readonly type: "forget"; readonly key: string };

/** From the worker to the page: slices, each a short task of the page, and then what is around the list. */
export type FromBodies =
  /** Items of the list that are not what the page holds at their places `at`. */
  | {
      readonly type: "items";
      readonly id: number;
      readonly at: readonly number[];
      readonly items: readonly unknown[];
    }
  | { readonly type: "damage"; readonly id: number; readonly damage: readonly Damage[] }
  | {
      readonly type: "read";
      readonly id: number;
      /** The answer without its list; null: as the page holds it. */
      readonly rest: object | null;
      /** How long the list is now; null where there is none. */
      readonly length: number | null;
      /** The damage is what the page holds. */
      readonly isSameDamage: boolean;
    }
  /** It is no answer of this endpoint, or could not be read here. */
  | { readonly type: "unreadable"; readonly id: number };
