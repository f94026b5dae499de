import type { Migration } from "./index.ts";

/** Wrong secrets, counted by where they come from and whom they are said to be of; and who knew a link's password. */
export const guesses: Migration = {
  name: "0058_guesses",
  sql: `
-- One row for each source of wrong secrets; it is worth nothing once its time is over.
create table guesses (
  -- 'network:…', 'site:…' or 'account:…'
  source text primary key,
  -- each wrong secret moves it on; how far it is ahead of now says how many there were
  counted_until timestamptz not null
);
create index guesses_until on guesses (counted_until);

-- Networks from which somebody knew the password of a link: guesses from elsewhere do not keep them out.
create table link_visitors (
  artifact_id text not null references artifacts (id) on delete cascade,
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (artifact_id, network)
);
`,
};
