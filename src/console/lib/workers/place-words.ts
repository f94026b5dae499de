import { grouped } from "../words.ts";

/** What waits for a place of a worker. @param before how many probably get one before it */
export const placeWords = (before: number): string =>
  `Waiting for a free place, ${before === 0 ? "next in line" : `${grouped(before)} before it`}.`;
