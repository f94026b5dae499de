import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonErrors, type ErrorCode, errorCatalogue, parameterError, renderError } from "./errors.ts";
import { isCredentialError, readError } from "./read-error.ts";

/** §7.1, word for word. */
const startAgentErrors: [number, string][] = [
  [400, "gummie_id is required"],
  [400, "message is required"],
  [400, "project_id or user_id is required"],
  [401, "Authorization header with Bearer token or api_key query parameter is required"],
  [403, "Unauthorized"],
  [403, "unauthorized_gummie_access"],
  [403, "unauthorized_interaction_access"],
  [404, "gummie_not_found"],
  [404, "interaction_not_found"],
  [400, "interaction_gummie_mismatch"],
  [409, "interaction_not_in_terminal_state"],
];

const codes = Object.keys(errorCatalogue) as ErrorCode[];

describe("the catalogue of errors", () => {
  it.each(startAgentErrors)("has the %i of §7.1 with the value %j", (status, value) => {
    const code = codes.find((each) => (errorCatalogue[each].value ?? each) === value);
    expect(code && errorCatalogue[code].status).toBe(status);
  });

  it.each([
    ["project_id_mismatch", 400],
    ["agent_version_conflict", 409],
    ["personal_credential_required", 403],
    ["plan_upgrade_required", 403],
    ["source_not_draft", 409],
    ["too_many_drafts", 409],
    ["too_many_rubrics", 409],
    ["name_taken", 409],
    ["evaluation_changed", 409],
    ["invalid_credentials", 401],
    ["invalid_page_size", 400],
    ["invalid_sort", 400],
    ["invalid_cursor", 400],
    ["payload_too_large", 413],
    ["idempotency_key_reused", 422],
    ["too_many_requests", 429],
    ["unavailable", 503],
    ["insufficient_storage", 507],
  ] as const)("answers %s with %i", (code, status) => {
    expect(errorCatalogue[code].status).toBe(status);
  });

  it("has one code for each value on the wire", () => {
    const values = codes.map((code) => errorCatalogue[code].value ?? code);
    expect(new Set(values).size).toBe(values.length);
  });

  it("has a sentence for a person in each entry", () => {
    for (const code of codes)
      expect(errorCatalogue[code].message, code).toMatch(/^[A-Za-z].{9,}\.$|^[a-z_]+ .*\.$/);
  });

  it("lists only codes of the catalogue as common", () => {
    for (const code of commonErrors) expect(codes).toContain(code);
  });
});

describe("an error body", () => {
  it("is flat on the older endpoints, with the literal value of §7.1", () => {
    expect(renderError("flat", "gummie_id_required")).toEqual({
      error: "gummie_id is required",
      message: errorCatalogue.gummie_id_required.message,
    });
  });

  it("is nested on the newer endpoints, with code, message, type, param and details", () => {
    const facts = { message: "days must be at most 365.", param: "days" };
    expect(renderError("nested", "invalid_parameter", facts)).toEqual({
      error: {
        code: "invalid_parameter",
        message: "days must be at most 365.",
        type: "invalid_request_error",
        param: "days",
        details: null,
      },
    });
  });

  it("is read back to its code in both shapes, for every code", () => {
    for (const code of codes) {
      const { status } = errorCatalogue[code];
      for (const shape of ["flat", "nested"] as const) {
        const facts = { message: "Said so." };
        const read = readError(status, renderError(shape, code, facts));
        expect(read).toMatchObject({ code, message: "Said so.", fromService: true });
      }
    }
  });

  it("of a service with other codes keeps them as they came", () => {
    expect(readError(403, { error: "tier_required_pro" })).toMatchObject({
      code: "tier_required_pro",
      message: "tier_required_pro",
    });
    expect(readError(403, { error: { code: "constructor" } })).toMatchObject({
      code: "constructor",
      message: "constructor",
    });
  });

  it("without any text is understood by its status", () => {
    expect(readError(404, "")).toMatchObject({ code: "not_found", fromService: false });
    expect(readError(502, "<html>Bad gateway</html>")).toMatchObject({
      code: "internal",
      fromService: false,
    });
    expect(readError(418, null)).toMatchObject({ code: "unknown", fromService: false });
  });

  it("keeps param and details of the nested shape", () => {
    const body = {
      error: { code: "invalid_access_change", param: "share.0.email", details: { email: "?" } },
    };
    expect(readError(400, body)).toMatchObject({ param: "share.0.email", details: { email: "?" } });
  });

  it("never makes reading fail, whatever it is", () => {
    fc.assert(
      fc.property(fc.integer(), fc.oneof(fc.anything(), fc.jsonValue()), (status, body) => {
        const read = readError(status, body);
        expect(typeof read.code).toBe("string");
        expect(read.message).not.toBe("");
      }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 599 }),
        fc.jsonValue(),
        fc.jsonValue(),
        (status, error, message) => {
          expect(typeof readError(status, { error, message }).message).toBe("string");
          expect(typeof readError(status, { error: { code: error, message } }).code).toBe("string");
        },
      ),
    );
  });
});

describe("a credential error", () => {
  it("is any 401, and the 403 that says Unauthorized", () => {
    expect(isCredentialError(401, "whatever")).toBe(true);
    expect(isCredentialError(403, readError(403, { error: "Unauthorized" }).code)).toBe(true);
  });

  it("is no other 403", () => {
    // Public services say a lower-case "unauthorized" where only one conversation is refused.
    for (const error of [
      "unauthorized",
      "unauthorized_gummie_access",
      "personal_credential_required",
      "plan_upgrade_required",
    ]) {
      expect(isCredentialError(403, readError(403, { error }).code)).toBe(false);
    }
  });
});

describe("a parameter that did not parse", () => {
  it("has the code that public documentation gives its name", () => {
    expect(parameterError("page_size")).toBe("invalid_page_size");
    expect(parameterError("sort_order")).toBe("invalid_sort");
    expect(parameterError("cursor")).toBe("invalid_cursor");
    expect(parameterError("days")).toBe("invalid_parameter");
  });
});
