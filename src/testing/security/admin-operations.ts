import { byMembers, everybody, listed, ofTeams, type Question } from "./questions.ts";

const no = "403 403 403 403 403 403";
const nothing = "404 404 404 404 404 404";
/** For admins of the installation, of whom none is asked here. */
const forAdmins = { own: no, otherTeams: no, absent: no };
/** One's own; a team's key is no person. */
const ownAlone = {
  own: "ok ok 404 404 403 403",
  theirs: "404 404 404 ok 403 403",
  otherTeams: "404 404 404 404 403 403",
  absent: "404 404 404 404 403 403",
};
/** Members who are no admins hear that it takes one. */
const managed = {
  team: "403 403 403 404 403 404",
  otherTeams: "404 404 404 403 404 403",
  absent: nothing,
};
const asked = "ok ok ok ok 403 403";
const ofPerson = (id: string) => ({ params: { user_id: id } });
const ofTeam = (id: string) => ({ params: { team_id: id } });
const ofMember = (id: string) => ({ params: { team_id: id, user_id: "user_ben" } });

/** Looking after people, teams, keys and sessions, by people who are editors in their teams. */
export const adminOperations = {
  getOwnRoles: [{ object: "nothing", asks: () => ({}), rows: everybody }],
  explainPermissions: [
    {
      object: "agent",
      asks: (id, { userId }) => ({
        ...ofPerson(userId ?? "user_ann"),
        query: { object: "agent", object_id: id },
      }),
      rows: byMembers,
    },
    {
      about: "another person",
      object: "person",
      asks: (id) => ({ ...ofPerson(id), query: { object: "agent", object_id: "agent_ann" } }),
      rows: { otherTeams: no, absent: no },
    },
  ],
  listPeople: [{ object: "nothing", asks: () => ({}), rows: { everyones: no } }],
  getPerson: [
    {
      object: "person",
      asks: ofPerson,
      rows: { own: "ok ok 403 403 403 403", theirs: "403 403 403 ok 403 403", otherTeams: no, absent: no },
    },
  ],
  invitePerson: [
    {
      object: "nothing",
      asks: () => ({ body: { email: "new@example.com", first_name: "New", last_name: "Person" } }),
      rows: { everyones: no },
    },
  ],
  updatePerson: [
    { object: "person", asks: (id) => ({ ...ofPerson(id), body: { role: "admin" } }), rows: forAdmins },
  ],
  renewInvitation: [{ object: "person", asks: ofPerson, rows: forAdmins }],
  getOwned: [{ object: "person", asks: ofPerson, rows: forAdmins }],
  handOver: [
    { object: "person", asks: (id) => ({ ...ofPerson(id), body: { to: "user_ann" } }), rows: forAdmins },
  ],
  listAdminTeams: [
    {
      object: "team",
      asks: () => ({}),
      rows: { team: listed.team, otherTeams: listed.otherTeams, absent: listed.absent },
      list: true,
    },
  ],
  getTeam: [{ object: "team", asks: ofTeam, rows: ofTeams }],
  createTeam: [{ object: "nothing", asks: () => ({ body: { name: "New" } }), rows: { everyones: no } }],
  updateTeam: [
    { object: "team", asks: (id) => ({ ...ofTeam(id), body: { name: "Renamed" } }), rows: managed },
    {
      about: "retiring it",
      object: "team",
      asks: (id) => ({ ...ofTeam(id), body: { retired: true } }),
      rows: managed,
    },
  ],
  listTeamMembers: [{ object: "team", asks: ofTeam, rows: ofTeams }],
  setTeamMember: [
    { object: "team", asks: (id) => ({ ...ofMember(id), body: { role: "admin" } }), rows: managed },
  ],
  removeTeamMember: [{ object: "team", asks: ofMember, rows: managed }],
  listKeys: [
    {
      object: "key",
      asks: () => ({ query: { page_size: "100" } }),
      rows: {
        own: "ok ok - - 403 403",
        team: "- - - - 403 403",
        theirs: "- - - ok 403 403",
        otherTeams: "- - - - 403 403",
        absent: "- - - - 403 403",
      },
      list: true,
    },
    {
      about: "a team's",
      object: "team",
      asks: (id) => ({ query: { team_id: id } }),
      rows: { team: no, otherTeams: no, absent: no },
    },
  ],
  createKey: [
    {
      object: "nothing",
      asks: () => ({ body: { name: "Laptop" } }),
      rows: { everyones: "ok ok ok ok 403 403" },
    },
    {
      about: "a team's",
      object: "team",
      asks: (id) => ({ body: { name: "Nightly", team_id: id } }),
      rows: { team: no, otherTeams: no, absent: no },
    },
  ],
  revokeKey: [
    {
      object: "key",
      asks: (id) => ({ params: { key_id: id } }),
      rows: { ...ownAlone, team: "404 404 404 404 403 403" },
    },
  ],
  listConsoleSessions: [
    {
      object: "session",
      asks: () => ({ query: { page_size: "100" } }),
      rows: {
        own: "ok ok - - 403 403",
        theirs: "- - - ok 403 403",
        otherTeams: "- - - - 403 403",
        absent: "- - - - 403 403",
      },
      list: true,
    },
  ],
  endConsoleSession: [{ object: "session", asks: (id) => ({ params: { session_id: id } }), rows: ownAlone }],
  getDiagnostics: [{ object: "nothing", asks: () => ({}), rows: { everyones: no } }],
  listAudit: [
    {
      object: "person",
      asks: (id) => ({ query: { user_id: id } }),
      // Whoever is asked about: there is what the caller did, and what their teams concern.
      rows: { own: asked, otherTeams: asked, absent: asked },
    },
    {
      about: "an object of another kind",
      object: "nothing",
      asks: () => ({ query: { object_id: "agent_ann" } }),
      rows: { everyones: "400 400 400 400 403 403" },
    },
  ],
  exportAudit: [
    {
      object: "person",
      asks: (id) => ({ query: { user_id: id } }),
      rows: { own: asked, otherTeams: asked, absent: asked },
    },
  ],
  endConsoleSessions: [
    {
      object: "person",
      asks: (id) => ({ query: { user_id: id } }),
      rows: { theirs: "403 403 403 ok 403 403", otherTeams: no, absent: no },
    },
  ],
} as const satisfies Record<string, readonly [Question, ...Question[]]>;
