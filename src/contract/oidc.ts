/** Opened by a browser: sends it to the organisation's identity provider. `next` is the page to go to afterwards. */
export const oidcStartPath = "/oidc/sign-in";

/** Where the identity provider sends browsers back to: the redirect address to register there, below the service's own address. */
export const oidcCallbackPath = "/oidc/callback";
