// What npm and editors are told: publint, arethetypeswrong, the fields of package.json, which files are in a tarball, and
// that nothing runs at an install.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/setup.mjs";
import { compareText } from "./committed.mjs";
import { runNode } from "./run.mjs";

/** Scripts that npm runs at a user's. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];
const FILES = join(root, "packages/consumers/files");

export async function checkMetadata({ folder, packages }, { write }) {
  mkdirSync(FILES, { recursive: true });
  const faults = [];
  for (const each of packages) {
    faults.push(...(await published(each)), ...manifestFaults(each), ...strayFiles(each));
    faults.push(...compareText(join(FILES, `${each.name}.txt`), kindsOf(each.files), { write }));
  }
  return [...faults, ...installScripts(folder)];
}

/** publint on the package; arethetypeswrong on what is imported: the command line is not. */
async function published({ manifest, source, tarball }) {
  const runs = [[join(root, "node_modules/publint/src/cli.js"), source, "--strict"]];
  if (manifest.exports !== undefined) {
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    runs.push([attw, tarball, "--profile", "esm-only"]);
  }
  const results = await Promise.all(runs.map((args) => runNode(args)));
  return results.filter(({ status }) => status !== 0).map(({ stdout, stderr }) => `${stdout}${stderr}`);
}

/** What a signed statement of where a package comes from takes, and what users and npm's pages go by. */
function manifestFaults({ name, source, manifest }) {
  const rules = {
    "a description, keywords": manifest.description !== undefined && manifest.keywords?.length > 0,
    "license MIT, and its text": manifest.license === "MIT" && existsSync(join(source, "LICENSE")),
    "engines as the workspace has them": manifest.engines?.node === readManifest(root).engines.node,
    "publishConfig: access public, provenance": isDeepPublic(manifest.publishConfig),
    files: manifest.files?.length > 0,
    "no install scripts": INSTALL_SCRIPTS.every((script) => manifest.scripts?.[script] === undefined),
    "a repository as the workspace has it": hasRepository(name, manifest),
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `packages/${name}/package.json: it should have ${rule}`);
}

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const isDeepPublic = (config) => config?.access === "public" && config.provenance === true;

/**
 * npm gives provenance only to packages that name the repository which publishes them. The workspace says which that is, once
 * it has an address, as it has in a workflow of GitHub; then each package has to say the same, and the folder.
 */
function hasRepository(name, { repository }) {
  const { repository: ours } = readManifest(root);
  if (ours === undefined) return repository === undefined && process.env.GITHUB_REPOSITORY === undefined;
  return repository?.type === "git" && repository.url === ours.url && repository.directory === `packages/${name}`;
}

/** One line for each folder and kind of file: a new one of either is seen, one more module is not. */
function kindsOf(files) {
  return `${[...new Set(files.map((path) => path.replace(/(?<=\/)[^./]+(?=\.[^/]*$)/, "*")))].sort().join("\n")}\n`;
}

/** What was built from a source that is gone stays in dist, and would be published. */
function strayFiles({ name, files, source }) {
  return files
    .filter((path) => path.startsWith("dist/"))
    .filter((path) => {
      const module = path.replace(/^dist\/(browser\/)?/, "src/").replace(/(\.d\.ts|\.js|\.js\.map)$/, ".ts");
      return !existsSync(join(source, module));
    })
    .map((path) => `packages/${name}/${path} is built from nothing: remove dist, and build again`);
}

/** npm notes in its lock file which of the packages it installed want to run something. */
function installScripts(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => `${path} runs a script when it is installed`);
}
