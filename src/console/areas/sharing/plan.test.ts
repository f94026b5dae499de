import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Access, everyone, grantsTo, organizationRole, readAccess, subjectOf } from "./access.ts";
import { sayChange, summary, textOf, whoSees } from "./labels.tsx";
import { editsOf, merge, undoOf } from "./merge.ts";
import { changesBetween, type Edits, noEdits, planOf, withLink, withRole } from "./plan.ts";
import type { AccessBody } from "./queries.ts";

const teamName = (id: string) => (id === "team_harbor" ? "Harbor" : id);
const sentence = (access: Access) => textOf(whoSees(access, teamName));

const withPerson = (edits: Edits, id: string, role: string | null) =>
  withRole(edits, { kind: "person", id }, role);
const withTeam = (edits: Edits, id: string, role: string | null) =>
  withRole(edits, { kind: "team", id }, role);
const withOrganization = (edits: Edits, role: string | null) => withRole(edits, everyone, role);

const ada = { email: "ada@example.com", name: "Ada Sample", role: "owner" };
const grace = { email: "grace@example.com", name: "Grace Sample", role: "viewer" };

function access(part: Parameters<typeof readAccess>[0] = {}): Access {
  return readAccess({
    people: [ada],
    teams: [],
    organization_access: null,
    link: "none",
    link_role: null,
    password_protected: false,
    grants_visibility: "full",
    ...part,
  });
}

describe("the body of a change", () => {
  test("holds only what differs, in the shapes of the interface", () => {
    const base = access({ people: [ada, grace], teams: [{ team_id: "team_harbor", role: "viewer" }] });
    let edits = withPerson(noEdits, "mary@example.com", "viewer");
    edits = withPerson(edits, "grace@example.com", null);
    edits = withTeam(edits, "team_harbor", "editor");
    edits = withOrganization(edits, null);
    edits = withLink(base, edits, { mode: "anyone" });
    const { body, changes } = planOf(base, edits);
    expect(body).toEqual({
      share: [
        { type: "person", email: "mary@example.com", role: "viewer" },
        { type: "team", team_id: "team_harbor", role: "editor" },
      ],
      remove: [{ type: "person", email: "grace@example.com" }],
      link: { mode: "anyone", role: "viewer" },
    });
    expect(summary(changes)).toEqual(["1 added", "1 removed", "1 role changed", "link opened to anyone"]);
  });

  test("is empty after edits that lead back to what is there", () => {
    const base = access({ people: [ada, grace] });
    const edits = withPerson(withPerson(noEdits, "grace@example.com", null), "grace@example.com", "viewer");
    expect(planOf(base, edits)).toMatchObject({ body: {}, changes: [] });
  });

  test("leaves the owner alone whatever was edited", () => {
    const edits = withPerson(noEdits, "ada@example.com", null);
    expect(planOf(access(), edits).body).toEqual({});
  });

  test("keeps a role that this console does not know until another one is chosen", () => {
    const base = access({ people: [ada, { ...grace, role: "commenter" }] });
    expect(planOf(base, noEdits).after.grants[1]?.role).toBe("commenter");
    expect(planOf(base, withPerson(noEdits, "grace@example.com", "viewer")).body.share).toEqual([
      { type: "person", email: "grace@example.com", role: "viewer" },
    ]);
  });

  test("carries a password only with the mode that has one", () => {
    const edits = withLink(access(), noEdits, { mode: "password", password: "correct horse battery" });
    expect(planOf(access(), edits).body.link).toEqual({
      mode: "password",
      role: "viewer",
      password: "correct horse battery",
    });
    expect(planOf(access(), withLink(access(), edits, { mode: "anyone" })).body.link).toEqual({
      mode: "anyone",
      role: "viewer",
    });
  });
});

describe("the sentence that says who can really see it", () => {
  const sentences: [string, Parameters<typeof access>[0], string][] = [
    ["the owner alone", {}, "Only the owner, Ada Sample, has access by name."],
    [
      "people and teams by name, with those who manage",
      { people: [ada, grace], teams: [{ team_id: "team_harbor", role: "editor" }] },
      "2 people and 1 team have access by name; of these, Ada Sample and Harbor can also change who has access.",
    ],
    [
      "an open link first",
      { link: "anyone", link_role: "viewer" },
      "Anyone with the link can view. 1 person has access by name and can change who has access.",
    ],
    [
      "a link with a password and a role",
      { people: [], link: "password", link_role: "editor" },
      "Anyone with the link and password can view, with the role editor.",
    ],
    [
      "everyone in the organisation",
      { people: [], organization_access: { role: "editor" } },
      "Everyone in the organisation can view, and change who has access.",
    ],
    [
      "grants that the caller may not see",
      {
        people: [],
        grants_visibility: "limited",
        hidden_by_role: { viewer: { people: 3 }, editor: { people: 1, teams: 1 } },
      },
      "Your role hides 4 people and 1 team with access.",
    ],
    [
      "roles and a link mode that are not known",
      { people: [ada, { ...grace, role: "commenter" }], link: "invited" },
      "The link is set to invited, an unknown setting. It may be open to anyone. 1 person has access by name and can change who has access. 1 more has an unknown role (commenter).",
    ],
    ["nobody", { people: [] }, "No one has access by name."],
  ];
  test.each(sentences)("names %s", (_, given, expected) => {
    expect(sentence(access(given))).toBe(expected);
  });

  test("concludes nothing from what the answer leaves out", () => {
    expect(sentence(readAccess({}))).toBe(
      "Unknown: which people, which teams and whether a link can open it.",
    );
  });
});

/** A service that keeps access settings, written on its own: what it holds after a PUT is what really is. */
function service(start: Access) {
  const people = new Map(
    grantsTo(start, "person").map(({ about, name, role }) => [
      about.toLowerCase(),
      { email: about, name, role },
    ]),
  );
  const teams = new Map(grantsTo(start, "team").map(({ id, role }) => [id, role]));
  let organization = organizationRole(start);
  let link = { ...start.link };
  return {
    put({ share = [], remove = [], link: change }: AccessBody) {
      for (const item of remove) {
        if (item.type === "person") people.delete(item.email.toLowerCase());
        else if (item.type === "team") teams.delete(item.team_id);
        else organization = null;
      }
      for (const item of share) {
        if (item.type === "person") {
          const key = item.email.toLowerCase();
          const known = people.get(key) ?? { email: key, name: key, role: "" };
          people.set(key, { ...known, role: item.role });
        } else if (item.type === "team") teams.set(item.team_id, item.role);
        else organization = item.role;
      }
      if (change)
        link = { mode: change.mode, role: change.mode === "none" ? null : (change.role ?? "viewer") };
    },
    get: () =>
      access({
        people: [...people.values()],
        teams: [...teams].map(([team_id, role]) => ({ team_id, role })),
        organization_access: organization === null ? null : { role: organization },
        link: link.mode,
        link_role: link.role,
      }),
  };
}

const roles = fc.constantFrom("viewer", "editor", "commenter");
const given = fc.constantFrom("viewer", "editor");
const emails = fc.constantFrom(
  ...["grace", "mary", "alan", "kurt", "emmy"].map((name) => `${name}@example.com`),
);
const teamIds = fc.constantFrom("team_harbor", "team_annex", "team_pier");
const modes = fc.constantFrom("none", "anyone", "password");

const settings: fc.Arbitrary<Access> = fc
  .record({
    people: fc.dictionary(emails, roles),
    teams: fc.dictionary(teamIds, roles),
    organization: fc.option(roles),
    mode: modes,
    linkRole: given,
  })
  .map(({ people, teams, organization, mode, linkRole }) =>
    access({
      people: [ada, ...Object.entries(people).map(([email, role]) => ({ email, name: email, role }))],
      teams: Object.entries(teams).map(([team_id, role]) => ({ team_id, role })),
      organization_access: organization === null ? null : { role: organization },
      link: mode,
      link_role: mode === "none" ? null : linkRole,
    }),
  );

const wishes: fc.Arbitrary<(base: Access) => Edits> = fc
  .record({
    people: fc.dictionary(fc.oneof(emails, fc.constant("ada@example.com")), fc.option(given)),
    teams: fc.dictionary(teamIds, fc.option(given)),
    organization: fc.option(fc.option(given), { nil: undefined }),
    link: fc.option(fc.record({ mode: modes, role: given }), { nil: undefined }),
  })
  .map(({ people, teams, organization, link }) => (base: Access) => {
    let edits = noEdits;
    for (const [email, role] of Object.entries(people)) edits = withPerson(edits, email, role);
    for (const [team, role] of Object.entries(teams)) edits = withTeam(edits, team, role);
    if (organization !== undefined) edits = withOrganization(edits, organization);
    if (link !== undefined) edits = withLink(base, edits, link);
    return edits;
  });

describe("against a service of its own", () => {
  test("what the sentence promises while editing is what the service then says", () => {
    fc.assert(
      fc.property(settings, wishes, (base, wish) => {
        const plan = planOf(base, wish(base));
        const real = service(base);
        real.put(plan.body);
        expect(changesBetween(plan.after, real.get())).toEqual([]);
        expect(sentence(plan.after)).toBe(sentence(real.get()));
      }),
    );
  });

  test("nothing is sent twice: the same edits on the settings that came back change nothing", () => {
    fc.assert(
      fc.property(settings, wishes, (base, wish) => {
        const edits = wish(base);
        const real = service(base);
        real.put(planOf(base, edits).body);
        expect(planOf(real.get(), edits).body).toEqual({});
      }),
    );
  });

  test("undo puts back what was before, or says what it cannot", () => {
    fc.assert(
      fc.property(settings, wishes, (base, wish) => {
        const plan = planOf(base, wish(base));
        const real = service(base);
        real.put(plan.body);
        const after = real.get();
        const undo = undoOf(plan.changes, after, after);
        real.put(planOf(after, undo.edits).body);
        const left = changesBetween(base, real.get());
        if (left.length > 0) {
          // Only a password that is not known here, and never a link wider than it was.
          expect(left.map(({ kind }) => kind)).toEqual(["link"]);
          expect(undo.cannot).toHaveLength(1);
          expect(real.get().link.mode).toBe("none");
        }
      }),
    );
  });

  test("somebody else's change in between is never overwritten without a choice", () => {
    fc.assert(
      fc.property(settings, wishes, wishes, (base, mine, theirs) => {
        const edits = mine(base);
        const real = service(base);
        real.put(planOf(base, theirs(base)).body);
        const now = real.get();
        const merged = merge(base, now, edits);
        // Before the person chooses, everything that they touched stays theirs, and all else of mine is done.
        const undecided = new Set(merged.clashes.map(({ subject }) => subject));
        const sent = planOf(now, merged.edits).changes.filter((one) => !undecided.has(subjectOf(one)));
        real.put(planOf(now, editsOf(sent)).body);
        const end = real.get();
        const touched = new Set(merged.theirs.map((one) => subjectOf(one)));
        for (const change of changesBetween(now, end)) expect(touched.has(subjectOf(change))).toBe(false);
        const wanted = new Map(planOf(base, edits).changes.map((one) => [subjectOf(one), one]));
        for (const [key, change] of wanted) {
          if (touched.has(key)) continue;
          const done = changesBetween(base, end).find((one) => subjectOf(one) === key);
          expect(done?.to).toEqual(change.to);
        }
      }),
    );
  });

  test("undo leaves alone what somebody else changed since, and says so", () => {
    const base = access();
    const plan = planOf(
      base,
      withPerson(withPerson(noEdits, "grace@example.com", "viewer"), "mary@example.com", "viewer"),
    );
    const now = planOf(plan.after, withPerson(noEdits, "grace@example.com", "editor")).after;
    const { edits, cannot } = undoOf(plan.changes, plan.after, now);
    expect([...edits.wishes.values()]).toEqual([{ kind: "person", id: "mary@example.com", role: null }]);
    expect(cannot).toEqual(["grace@example.com was changed by someone else since and stays as is."]);
  });
});

test("the sentence says that a team reads what was made for it, whatever is set", () => {
  const made = { made_for_team_id: "team_harbor" };
  expect(sentence(access(made))).toBe(
    "It was created for a team: everyone in Harbor can view it, whatever is set here. 1 person has access by name and can change who has access.",
  );
  const limited = { ...made, people: [], grants_visibility: "limited" } as const;
  expect(sentence(access({ ...limited, hidden_by_role: { owner: { people: 1 } } }))).toBe(
    "It was created for a team: everyone in Harbor can view it, whatever is set here. Your role hides 1 person with access.",
  );
  // A service that says nothing of it is not taken to say that there is none.
  expect(access({ made_for_team_id: null }).homeTeamId).toBeNull();
  expect(access().homeTeamId).toBeUndefined();
});

test("a change is said as one line", () => {
  const base = access({ people: [ada, grace] });
  const edits = withOrganization(withPerson(noEdits, "grace@example.com", "editor"), "viewer");
  expect(planOf(base, edits).changes.map((one) => sayChange(one, teamName))).toEqual([
    "Grace Sample (grace@example.com) changed to editor, was viewer",
    "Everyone in the organisation added as viewer",
  ]);
});
