import type { Plugin } from "vite";

/** Leaves out of the library's icons what `src/console/ui/icon.ts` draws nothing of: their names and former names, their one size, and the key of each part. */
export function iconData(): Plugin {
  return {
    name: "wheelhouse:icon-data",
    transform: {
      filter: { id: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/ },
      handler: (code) => ({
        code: code.replaceAll(
          /,\s*key: "\w+"|,\s*aliases: \[[^\]]*\]|^\s*name: "[\w-]+",$|^\s*size: 24,$/gm,
          "",
        ),
        map: null,
      }),
    },
  };
}
