// Begins the first reads of the asked page before any other script has come (`src/console/api/preloaded.ts` hands their answers
// out). It stands in the page itself (scripts/build/scripts-in-page.ts), which the service gave the addresses (src/service/http/static.ts).
// Only for who has signed in to the page's own service in this tab and reads as themselves; whatever does not fit is left to
// the page, which asks for all that it needs anyway.
(() => {
  try {
    const reads = JSON.parse(document.querySelector('meta[name="wheelhouse-reads"]').content);
    const { connection, credential, signedInAt } = JSON.parse(sessionStorage.getItem("wheelhouse:session"));
    const { kind, secret, userId, teamId } = credential;
    const isOver = signedInAt <= Number(localStorage.getItem("wheelhouse:signed-out-at"));
    const isOther = location.search !== "" || location.hash !== "" || connection.path !== "/api/v1";
    if (isOver || isOther || kind === "team") return;
    const headers = { accept: "application/json", authorization: `Bearer ${secret}` };
    if (kind === "personal" && userId) headers["x-auth-key"] = userId;
    const begin = (address) => {
      const url = location.origin + connection.path + address;
      const limit = new AbortController();
      const answer = fetch(url, {
        headers,
        signal: limit.signal,
        cache: "no-store",
        credentials: "omit",
        redirect: "manual",
        referrerPolicy: "no-referrer",
      });
      // Said by whoever asks for it.
      answer.catch(() => {});
      return [url, { answer, headers, stop: () => limit.abort() }];
    };
    const isPlain = /^[\w-]+$/.test(userId ?? "") && teamId === null;
    window.wheelhousePreloaded = new Map(
      reads
        .filter((read) => isPlain || !read.includes("{user}"))
        .map((read) => begin(read.replace("{user}", userId))),
    );
  } catch {}
})();
