/**
 * The advisory locks of the database that are known by a number, each of one part of the service; no two may be the same.
 * Where there are many of a kind, such as one for each limit, they are known by the hash of a name.
 */
export const lockKeys = {
  /** Held shared by each process that uses the embedded database; whoever gets it alone is the last one. */
  users: 7_235_401,
  /** Held while migrating: of two starts at once the second finds the work done. */
  migration: 7_235_402,
  /** The same while a workspace is loaded. */
  loading: 7_235_403,
  /** One process sweeps at a time. */
  sweep: 7_235_404,
  /** Held shared by each backup: no file is removed meanwhile. */
  backup: 7_235_405,
  /** Held by whoever restores into this database. */
  restore: 7_235_406,
} as const;
