/** What the conformance suite runs as a client: tells the test which server to talk to, and ends as that did. */
const [, , test, server] = process.argv;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const answer = await fetch(test, {
  method: "POST",
  body: JSON.stringify({ server, scenario, context: JSON.parse(context) }),
});
process.stdout.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
