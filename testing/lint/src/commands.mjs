// Pages have one way to run the command line: npx @moonpack/cli. The package moonpack has no command.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const TEXTS = /\.(?:md|[cm]?[jt]sx?|vue|html|json|ya?ml)$/;
/** Text that another way is recorded in, as it was. */
const RECORDS = /^UPGRADING\.md$/;
/** npx, or another package manager's command for it, with the name of the command instead of the package's name. */
const BY_NAME = /\b(?:npx|pnpx|bunx|npm exec|pnpm dlx|yarn dlx)(?: -\S+)* moonpack\b/;
const SHELL = /^```(?:sh|bash|console)\b/;
/** In a shell, the name alone is the command only after a global install. */
const NAME = /^(?:\$ )?moonpack\b/;

/** Where a file runs the command line in another way. */
export function commandFaults(path, folder) {
  if (!TEXTS.test(path) || RECORDS.test(path)) return [];
  const isPage = path.endsWith(".md");
  let isShell = false;
  return readFileSync(join(folder, path), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (isPage && line.startsWith("```")) isShell = SHELL.test(line);
      if (!BY_NAME.test(line) && !(isShell && NAME.test(line))) return [];
      return [`${path}:${index + 1}: the command line is run another way. Write npx @moonpack/cli, as all pages do.`];
    });
}
