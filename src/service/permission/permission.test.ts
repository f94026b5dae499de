import { describe, expect, test } from "vitest";
import { type TeamRight, teamRights } from "../../contract/roles.ts";
import { personCaller } from "../../testing/callers.ts";
import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";
import { type ClaimedOwner, resolveActor, teamScope, teamsOf, type UserRequirement } from "./actor.ts";
import { artifactRole, mayDeleteArtifact, mayManageAccess } from "./artifacts.ts";
import { fileRefusal, mayContinue, mayReadExecution } from "./executions.ts";
import { explainRight } from "./explain.ts";
import { maySee, mayTransfer, mayUse } from "./owned.ts";
import { hasRight, mayManageTeam } from "./roles.ts";
import { mayUseServer } from "./servers.ts";
import { mayManageSource, mayReadSource } from "./sources.ts";

/** Ada is in harbor; Grace in harbor and annex; Eve in none. */
const ada = personCaller("ada", ["harbor"]);
const grace = personCaller("grace", ["harbor", "annex"]);
const graceToken: Caller = { ...grace, kind: "token" };
const eve = personCaller("eve", []);
const harborKey: Caller = {
  kind: "team",
  credentialId: "key_h",
  teamId: "harbor",
  memberIds: ["ada", "grace"],
};
const annexKey: Caller = { kind: "team", credentialId: "key_x", teamId: "annex", memberIds: ["grace"] };

function actorOrCode(caller: Caller, claim: ClaimedOwner, required: UserRequirement) {
  try {
    const { userId, teamId } = resolveActor(caller, claim, required);
    return `${userId ?? "-"}/${teamId ?? "-"}`;
  } catch (error) {
    return error instanceof ServiceError ? error.code : "threw something else";
  }
}

describe("who acts (S-23, S-24)", () => {
  test.each<[string, Caller, ClaimedOwner, UserRequirement, string]>([
    ["a personal key acts as its user", ada, { user_id: "ada" }, "always", "ada/-"],
    [
      "a personal key with another person's user_id is refused",
      ada,
      { user_id: "grace" },
      "always",
      "forbidden",
    ],
    ["an access token decides like a key", graceToken, { user_id: "ada" }, "always", "forbidden"],
    [
      "a personal key for its own team acts as its user for the team",
      ada,
      { project_id: "harbor" },
      "always",
      "ada/harbor",
    ],
    [
      "a personal key for both is both",
      ada,
      { user_id: "ada", project_id: "harbor" },
      "always",
      "ada/harbor",
    ],
    [
      "a personal key for a foreign team is refused",
      ada,
      { user_id: "ada", project_id: "annex" },
      "always",
      "forbidden",
    ],
    [
      "a right team does not make up for a wrong user",
      ada,
      { user_id: "grace", project_id: "harbor" },
      "never",
      "forbidden",
    ],
    [
      "a personal key with neither is refused where both may be missing only with a team key",
      ada,
      {},
      "personal",
      "owner_required",
    ],
    ["a personal key with neither is refused where one is required", ada, {}, "always", "owner_required"],
    ["a personal key with neither acts as its user where none is required", ada, {}, "never", "ada/-"],
    ["null is like absent", ada, { user_id: null, project_id: null }, "always", "owner_required"],
    ["an empty user_id is another person", ada, { user_id: "" }, "always", "forbidden"],
    ["an empty project_id is a foreign team", ada, { user_id: "ada", project_id: "" }, "always", "forbidden"],
    [
      "a team key without project_id has its team as the project",
      harborKey,
      { user_id: "ada" },
      "always",
      "ada/harbor",
    ],
    ["a team key alone acts for its team", harborKey, { project_id: "harbor" }, "always", "-/harbor"],
    ["a team key with neither is refused where §4.1 requires one", harborKey, {}, "always", "owner_required"],
    ["a team key with neither reads as its team", harborKey, {}, "personal", "-/harbor"],
    ["a team key for another team is refused", harborKey, { project_id: "annex" }, "always", "forbidden"],
    ["a team key for somebody outside is refused", annexKey, { user_id: "ada" }, "always", "forbidden"],
    [
      "a team key for somebody outside and its own team is refused",
      annexKey,
      { user_id: "ada", project_id: "annex" },
      "always",
      "forbidden",
    ],
    ["a team key with an empty user_id is refused", harborKey, { user_id: "" }, "always", "forbidden"],
  ])("%s", (_, caller, claim, required, expected) => {
    expect(actorOrCode(caller, claim, required)).toBe(expected);
  });

  test("a list narrowed to a foreign team is refused, and without a team it is not narrowed", () => {
    expect(teamScope(ada, undefined)).toBeNull();
    expect(teamScope(ada, "harbor")).toBe("harbor");
    expect(() => teamScope(ada, "annex")).toThrow(ServiceError);
    expect(() => teamScope(harborKey, "annex")).toThrow(ServiceError);
    expect(teamsOf(harborKey)).toEqual(["harbor"]);
  });
});

describe("runs and interactions", () => {
  const adasOwn = { userId: "ada", teamId: null };
  const adasForHarbor = { userId: "ada", teamId: "harbor" };
  const harborsOwn = { userId: null, teamId: "harbor" };
  test.each([
    ["Ada reads her own", ada, adasOwn, true],
    ["Grace does not read Ada's own", grace, adasOwn, false],
    ["Grace reads what Ada did for their team", grace, adasForHarbor, true],
    ["an access token reads like a key", graceToken, adasForHarbor, true],
    ["Eve reads nothing of the team", eve, adasForHarbor, false],
    ["the team's key reads what was done for it", harborKey, adasForHarbor, true],
    ["the team's key does not read a member's own", harborKey, adasOwn, false],
    ["another team's key reads nothing, though Grace is in both", annexKey, adasForHarbor, false],
    ["a member reads what the team's key did for no person", ada, harborsOwn, true],
    ["somebody outside does not", eve, harborsOwn, false],
  ])("%s", (_, caller, execution, expected) => {
    expect(mayReadExecution(caller, execution)).toBe(expected);
  });

  test("Ada still reads her own run for a team that she has left", () => {
    expect(mayReadExecution(personCaller("ada", []), adasForHarbor)).toBe(true);
  });

  test("Ada continues her conversation for a team while she is in it, and not when she has left (S-26)", () => {
    expect(mayContinue(ada, adasForHarbor)).toBe(true);
    expect(mayContinue(personCaller("ada", []), adasForHarbor)).toBe(false);
    expect(mayContinue(personCaller("ada", []), adasOwn)).toBe(true);
  });

  test("a team key hears that a member's own files need a personal credential, and nothing of others'", () => {
    expect(fileRefusal(harborKey, adasOwn)).toBe("personal_credential_required");
    expect(fileRefusal(annexKey, adasOwn)).toBe("not_found");
    expect(fileRefusal(grace, adasOwn)).toBe("not_found");
    expect(fileRefusal(harborKey, adasForHarbor)).toBeNull();
  });
});

describe("agents and flows", () => {
  const adasAgent = { ownerId: "ada", teamId: null };
  const harborsAgent = { ownerId: "grace", teamId: "harbor" };
  const annexAgent = { ownerId: "grace", teamId: "annex" };
  test.each([
    ["Ada sees her own", ada, adasAgent, true],
    ["Grace does not", grace, adasAgent, false],
    ["a member sees the team's", ada, harborsAgent, true],
    ["Ada does not see another team's", ada, annexAgent, false],
    [
      "the maker of a team's agent who left the team does not see it",
      { ...grace, teamIds: [] } as Caller,
      harborsAgent,
      false,
    ],
    ["the team's key sees the team's", harborKey, harborsAgent, true],
    ["the team's key does not see a member's own", harborKey, adasAgent, false],
    ["the team's key does not see another team's of a member of both", harborKey, annexAgent, false],
  ])("%s", (_, caller, agent, expected) => {
    expect(maySee(caller, agent)).toBe(expected);
  });

  test("a team key that acts as Ada starts Ada's own agent, but not as Grace and not as nobody", () => {
    expect(mayUse(harborKey, { userId: "ada", teamId: "harbor" }, adasAgent)).toBe(true);
    expect(mayUse(harborKey, { userId: "grace", teamId: "harbor" }, adasAgent)).toBe(false);
    expect(mayUse(harborKey, { userId: null, teamId: "harbor" }, adasAgent)).toBe(false);
  });

  test("a team key that acts as a member of two teams does not reach the other team's agent", () => {
    expect(mayUse(harborKey, { userId: "grace", teamId: "harbor" }, annexAgent)).toBe(false);
  });

  test("giving an agent to a team takes rights on both (S-29)", () => {
    expect(mayTransfer(grace, harborsAgent, "annex")).toBe(true);
    expect(mayTransfer(ada, harborsAgent, "annex")).toBe(false);
    expect(mayTransfer(ada, annexAgent, "harbor")).toBe(false);
    expect(mayTransfer(harborKey, harborsAgent, "annex")).toBe(false);
  });
});

describe("artifacts", () => {
  const facts = { creatorId: "ada", teamId: null, people: [], teams: [], organization: null };
  const harbors = { ...facts, teamId: "harbor" };
  test.each([
    ["the creator is the owner", ada, facts, "owner"],
    ["nobody else has a role without a grant", grace, facts, null],
    ["a member reads what was made for the team", grace, harbors, "viewer"],
    ["the team's key manages what was made for the team", harborKey, harbors, "editor"],
    ["the team's key has no role on a person's own", harborKey, facts, null],
    ["somebody outside has no role on what was made for the team", eve, harbors, null],
    [
      "a person's grant is nobody else's",
      ada,
      { ...facts, creatorId: "grace", people: [{ userId: "eve", role: "editor" }] },
      null,
    ],
    [
      "a team's grant is not for those outside",
      eve,
      { ...facts, teams: [{ teamId: "annex", role: "viewer" }] },
      null,
    ],
    ["a person's grant counts", eve, { ...facts, people: [{ userId: "eve", role: "editor" }] }, "editor"],
    [
      "a team's grant counts for its members",
      grace,
      { ...facts, teams: [{ teamId: "annex", role: "viewer" }] },
      "viewer",
    ],
    [
      "a team's grant counts for its key",
      annexKey,
      { ...facts, teams: [{ teamId: "annex", role: "viewer" }] },
      "viewer",
    ],
    [
      "a person's grant does not count for a key of the person's team",
      harborKey,
      { ...facts, people: [{ userId: "grace", role: "editor" }] },
      null,
    ],
    [
      "the strongest role wins",
      grace,
      {
        ...facts,
        people: [{ userId: "grace", role: "viewer" }],
        teams: [{ teamId: "annex", role: "editor" }],
      },
      "editor",
    ],
    ["the organization is everybody", eve, { ...facts, organization: "viewer" }, "viewer"],
    ["the organization is people, not keys of teams", harborKey, { ...facts, organization: "editor" }, null],
    [
      "a role that we do not know grants nothing",
      eve,
      { ...facts, people: [{ userId: "eve", role: "admin" }] },
      null,
    ],
  ])("%s", (_, caller, artifact, expected) => {
    expect(artifactRole(caller, artifact)).toBe(expected);
  });

  test("a creator alone deletes what they made, and what has no creator is deleted by its team", () => {
    const of = (artifact: typeof harbors | typeof facts) =>
      [ada, grace, eve, harborKey].map((caller) => mayDeleteArtifact(caller, artifact));
    expect(of(facts)).toEqual([true, false, false, false]);
    expect(of(harbors)).toEqual([true, false, false, true]);
    const nobodys = { ...harbors, creatorId: null };
    expect([ada, eve, harborKey].map((caller) => mayDeleteArtifact(caller, nobodys))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("viewers do not manage access", () => {
    expect([null, "viewer", "editor", "owner"].map((role) => mayManageAccess(role as never))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("knowledge sources", () => {
  const personal = { scope: "personal", teamId: "harbor", createdByUserId: "ada" };
  test.each([
    ["its maker", ada, personal, true, true],
    ["a member, while it is personal", grace, personal, false, false],
    ["a member, when it is the team's", grace, { ...personal, scope: "team" }, true, true],
    ["the team's key", harborKey, { ...personal, scope: "team" }, true, true],
    ["another team's key", annexKey, { ...personal, scope: "team" }, false, false],
    ["anybody, when it is the organization's", eve, { ...personal, scope: "organization" }, true, false],
    [
      "a team key, when it is the organization's",
      annexKey,
      { ...personal, scope: "organization" },
      false,
      false,
    ],
    ["a member, when the scope is unknown", grace, { ...personal, scope: "galaxy" }, false, false],
  ])("%s", (_, caller, source, reads, manages) => {
    expect([mayReadSource(caller, source), mayManageSource(caller, source)]).toEqual([reads, manages]);
  });
});

test("an MCP server is everybody's, or its teams': also its connection of a team", () => {
  const uses = (caller: Caller, teams: readonly string[] | null, teamId: string | null) =>
    mayUseServer(caller, teams, teamId);
  expect([uses(eve, null, null), uses(ada, ["harbor"], null), uses(harborKey, ["harbor"], null)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    uses(eve, ["harbor"], null),
    uses(annexKey, ["harbor"], null),
    uses(ada, ["annex"], "harbor"),
  ]).toEqual([false, false, false]);
});

describe("the function that decides, and what explains it", () => {
  const viewer: Caller = {
    ...{ kind: "personal", credentialId: "key_v", userId: "vera", role: "admin", teamIds: ["harbor"] },
    teamRoles: new Map([["harbor", "viewer"]]),
  };
  const explained = (caller: Caller, teamId: string | null, isTeam: boolean, right: TeamRight) =>
    explainRight({ ...caller, isActive: true }, { userId: "ada", teamId, isTeam }, right);

  test("an admin of the installation who is a viewer in a team looks after it, and changes nothing of it", () => {
    expect(mayManageTeam(viewer, "harbor")).toBe(true);
    expect(explained(viewer, "harbor", true, "manage")).toMatchObject({
      ...{ allowed: true, rule: "installation_admin", role: "viewer", needs: "admin" },
    });
    expect(explained(viewer, "harbor", false, "edit")).toMatchObject({
      ...{ allowed: false, rule: "team_role", role: "viewer", needs: "editor" },
    });
    expect(hasRight(viewer, "harbor", "edit")).toBe(false);
    // A key of a person: its owner's, who need be no admin for it, and theirs who look after all keys.
    const key = (userId: string) =>
      explainRight({ ...viewer, isActive: true }, { userId, teamId: null, isTeam: true }, "manage").rule;
    expect([key("vera"), key("ada")]).toEqual(["owner", "installation_admin"]);
  });

  test.each(teamRights)("they say the same of the right to %s, whoever asks", (right) => {
    for (const caller of [ada, grace, eve, harborKey, annexKey, viewer]) {
      for (const team of ["harbor", "annex"]) {
        expect(explained(caller, team, false, right).allowed).toBe(hasRight(caller, team, right));
        if (right === "manage")
          expect(explained(caller, team, true, right).allowed).toBe(mayManageTeam(caller, team));
      }
    }
    expect(explained(ada, null, false, right)).toMatchObject({ allowed: true, rule: "owner", needs: null });
    expect(explained(eve, null, false, right)).toMatchObject({ allowed: false, rule: "not_member" });
    const gone = explainRight({ ...ada, isActive: false }, { userId: "ada", teamId: null }, right);
    expect(gone).toMatchObject({ allowed: false, rule: "deactivated" });
  });
});
