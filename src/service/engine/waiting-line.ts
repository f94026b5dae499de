import type { Tenant } from "./shares.ts";

/** What becomes of somebody in line. Called at once, so that whoever is next sees what that has changed. */
interface Turn {
  /** It may go on. */
  go(): void;
  /** It has waited for long enough. */
  giveUp(): void;
}

/** Those who wait for room, or for others to be done: first come first served among those who may go on. */
export interface WaitingLine {
  join(tenant: Tenant, turn: Turn): void;
  /** Lets all go on who may now. */
  callNext(): void;
}

/** @param mostMs how long anybody is in line */
export function createWaitingLine(mayEnter: (tenant: Tenant) => boolean, mostMs: number): WaitingLine {
  const line: { readonly tenant: Tenant; readonly go: () => void }[] = [];
  return {
    join(tenant, { go, giveUp }) {
      const place = {
        tenant,
        go() {
          clearTimeout(patience);
          go();
        },
      };
      line.push(place);
      const patience = setTimeout(() => {
        line.splice(line.indexOf(place), 1);
        giveUp();
      }, mostMs);
    },
    callNext() {
      for (let at = 0; at < line.length; ) {
        const next = line[at];
        if (next === undefined || !mayEnter(next.tenant)) at++;
        else {
          line.splice(at, 1);
          next.go();
        }
      }
    },
  };
}
