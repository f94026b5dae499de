import { oauthPaths, scopes } from "../../contract/scopes.ts";

const methods = ["none", "client_secret_basic", "client_secret_post"];

/**
 * What this service says of itself as an authorization server (RFC 8414).
 * @param publicUrl without a trailing slash
 * @param takesDocuments whether a client id may be the address of a metadata document
 */
export function serverMetadata(publicUrl: string, takesDocuments: boolean) {
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + oauthPaths.authorize,
    token_endpoint: publicUrl + oauthPaths.token,
    revocation_endpoint: publicUrl + oauthPaths.revoke,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ["S256"],
    scopes_supported: [...scopes],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: takesDocuments,
  };
}

/** What it says of the API that tokens are for (RFC 9728). @param path of the API, or "" for the whole origin */
export function resourceMetadata(publicUrl: string, path: "" | "/api/v1") {
  return {
    resource: publicUrl + path,
    authorization_servers: [publicUrl],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header"],
    resource_name: "Wheelhouse",
  };
}
