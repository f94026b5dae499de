import { getArtifactAccess, type ItemAccess, updateArtifactAccess } from "../contract/access.ts";
import type { Artifact } from "../contract/artifacts.ts";
import type { MockService } from "./msw.ts";

/** An artifact of Ada's agent. */
export function anArtifact(part: Partial<Artifact> = {}): Artifact {
  return {
    id: "art_rates",
    version_id: "ver_1",
    major_version: 1,
    agent_id: "agent_rates",
    session_id: "int_1",
    filename: "rates.csv",
    created_at: "2026-11-20T08:15:00Z",
    metadata: { media_type: "text/csv", size: 4806 },
    url: "http://localhost:3000/api/v1/files/art_rates?signature=abc",
    creator: {
      id: "user_ada",
      first_name: "Ada",
      last_name: "Sample",
      email: "ada@example.com",
      profile_picture: null,
    },
    ...part,
  };
}

/** Who may open it: Ada, whose it is, and nobody else. */
export function someAccess(part: Partial<ItemAccess> = {}): ItemAccess {
  return {
    people: [{ email: "ada@example.com", name: "Ada Sample", role: "owner" }],
    password_protected: false,
    teams: [],
    organization_access: null,
    link: "none",
    link_role: null,
    grants_visibility: "full",
    link_url: null,
    ...part,
  };
}

/**
 * Lets a mock service keep access settings by artifact and change them as the interface says (§4.7): removes, then adds,
 * then sets the link. Each opening of a link makes another address.
 * @returns the settings, to be looked at and changed by the test as by somebody else
 */
export function keepAccess(service: MockService, settings: Record<string, ItemAccess>) {
  let links = 0;
  const at = (id: string) => {
    const access = settings[id];
    if (access === undefined) throw new Error(`The test has no access settings for ${id}`);
    return access;
  };
  service.override(getArtifactAccess, ({ params }) => ({ access: at(params.artifact_id) }));
  service.override(updateArtifactAccess, ({ params, body }) => {
    const before = at(params.artifact_id);
    const people = new Map(before.people.map((one) => [one.email, one]));
    const teams = new Map(before.teams.map((one) => [one.team_id, one]));
    let { organization_access, link, link_role, link_url, password_protected } = before;
    const notified: string[] = [];
    for (const item of body.remove ?? []) {
      if (item.type === "person") people.delete(item.email);
      else if (item.type === "team") teams.delete(item.team_id);
      else organization_access = null;
    }
    for (const item of body.share ?? []) {
      if (item.type === "organization") organization_access = { role: item.role };
      else if (item.type === "team") teams.set(item.team_id, item);
      else {
        const known = people.get(item.email);
        if (known === undefined) notified.push(item.email);
        people.set(item.email, { email: item.email, name: known?.name ?? item.email, role: item.role });
      }
    }
    if (body.link) {
      if (body.link.mode !== "none" && link === "none") {
        links += 1;
        link_url = `http://localhost:3000/shared/tok_${links}`;
      }
      link = body.link.mode;
      link_role = link === "none" ? null : (body.link.role ?? "viewer");
      link_url = link === "none" ? null : (link_url ?? null);
      password_protected = link === "password";
    }
    const access: ItemAccess = {
      ...before,
      people: [...people.values()],
      teams: [...teams.values()].map(({ team_id, role }) => ({ team_id, role })),
      organization_access,
      link,
      link_role,
      link_url: link_url ?? null,
      password_protected,
    };
    settings[params.artifact_id] = access;
    return { access, notified };
  });
  return settings;
}
