// A user's project outside the repository: the published packages, packed by npm and installed from the tarballs, and the
// programs of this package, as ES modules and as CommonJS.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { runNpm } from "./run.mjs";

/** The published packages, by the names of their folders. */
export const PUBLISHED = ["moonpack", "cli"];
const here = join(root, "proving/consumers");

/** Creates a project and calls `use` with its folder, the packed packages and the programs; removes it afterwards. */
export async function withProject(use) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-consumers-")));
  try {
    const packages = await Promise.all(PUBLISHED.map((name) => pack(name, folder)));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
    await npm(["install", "--prefix", ".", ...quiet, ...packages.map(({ tarball }) => tarball)], folder);
    return await use({ folder, packages, programs: addPrograms(folder) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `npm pack`. Returns the tarball, the paths in it, and its package.json. */
async function pack(name, destination) {
  const source = join(root, "packages", name);
  const output = await npm(["pack", "--json", "--loglevel=error", "--pack-destination", destination], source);
  const [{ filename, files }] = Object.values(JSON.parse(output));
  return {
    name,
    source,
    tarball: join(destination, filename),
    files: files.map(({ path }) => path).sort(),
    manifest: JSON.parse(readFileSync(join(source, "package.json"), "utf8")),
  };
}

async function npm(args, cwd) {
  const { status, stdout, stderr } = await runNpm(args, { cwd });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed\n${stdout}${stderr}`);
  return stdout;
}

/** One program for each subpath, as `esm/NAME.ts` and `cjs/NAME.cts`, with the environments that its exports allow. */
function addPrograms(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/moonpack/package.json"), "utf8"));
  const subpaths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  for (const kind of ["esm", "cjs"]) mkdirSync(join(folder, kind));
  const programs = subpaths.map((subpath) => {
    const name = subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-");
    const source = join(here, "programs", `${name}.ts`);
    cpSync(source, join(folder, "esm", `${name}.ts`));
    cpSync(source, join(folder, "cjs", `${name}.cts`));
    const target = exports[subpath];
    return {
      name,
      specifier: `moonpack${subpath.slice(1)}`,
      types: target.types ?? target.default.types,
      source: readFileSync(source, "utf8"),
      /** True if no browser can load the subpath. */
      isForNode: target.default.startsWith?.("./dist/node/") ?? false,
      /** True if the subpath resolves differently under the condition `node`: its types may need those of Node. */
      isOtherInNode: target.node !== undefined,
    };
  });
  const known = new Set(programs.map(({ name }) => `${name}.ts`));
  const stray = readdirSync(join(here, "programs")).filter((file) => !known.has(file));
  if (stray.length > 0) throw new Error(`programs without a subpath: ${stray.join(", ")}`);
  return programs;
}
