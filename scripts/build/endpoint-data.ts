import type { Plugin } from "vite";

/** What only the service, its OpenAPI document and the tests read of an endpoint (`src/contract/define.ts`). */
const ofService = [
  ...["tier", "section", "summary", "userHeader", "queryKey", "params", "query", "headers", "body"],
  ...["missing", "conditional", "status", "errors", "errorShape"],
];

/**
 * Leaves out of the interface what the console does not read: of an endpoint what its queries and bodies must be and what its
 * document says, and the known values of an open enum. A module of the console that reads it all the same ends the build. To make
 * a schema does nothing beside, so that those which nothing needs any more go as well.
 */
export function endpointData(): Plugin {
  return {
    name: "wheelhouse:endpoint-data",
    apply: "build",
    transform: {
      filter: {
        id: /[\\/]src[\\/](contract|console)[\\/].+\.tsx?$/,
        code: /\/contract\/|\bzod\/mini\b|\bendpoint\(/,
      },
      handler(code, id) {
        const { body } = this.parse(code);
        if (/[\\/]src[\\/]console[\\/]/.test(id)) {
          const names = body.flatMap((one) =>
            one.type === "ImportDeclaration" && one.source.value.includes("/contract/")
              ? one.specifiers.map(({ local }) => local.name)
              : [],
          );
          const read = new RegExp(`\\b(${names.join("|")})\\.(${ofService.join("|")})\\b`).exec(code);
          if (names.includes("knownOf") || (names.length > 0 && read))
            this.error(`${read?.[0] ?? "knownOf"} is not there in the console’s build: ${id}`);
          return null;
        }
        let made = "";
        let end = 0;
        for (const one of body) {
          if (one.type !== "ExportNamedDeclaration" || one.declaration?.type !== "VariableDeclaration")
            continue;
          for (const { init } of one.declaration.declarations) {
            if (init?.type !== "CallExpression" || init.callee.type !== "Identifier") continue;
            const [given] = init.arguments;
            if (init.callee.name !== "endpoint" || given?.type !== "ObjectExpression") continue;
            const parts = given.properties.map((part) => code.slice(part.start, part.end));
            const left = parts.filter((part) => !ofService.includes(/^\w+/.exec(part)?.[0] ?? ""));
            made += `${code.slice(end, given.start)}{ ${left.join(", ")} }`;
            end = given.end;
          }
        }
        made += code.slice(end);
        return {
          code: made
            .replaceAll(/(?<!function )\bopenEnum\((\[[^\]]*\]|\w+)\)/g, "openEnum([])")
            .replaceAll(/(?<![\w$.])z\.(?=\w+\()/g, "/* @__PURE__ */ z."),
          map: null,
        };
      },
    },
  };
}
