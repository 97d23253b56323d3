// The metadata of the packages: publint, arethetypeswrong, the fields of package.json and the files in a tarball.
// Nothing that is needed may run during an installation.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceOfEntry } from "@moonpack/tools/entries";
import { root } from "@moonpack/tools/setup";
import { compareText } from "./committed.mjs";
import { runNode } from "./run.mjs";

/** Scripts that npm runs during an installation. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];
const FILES = join(root, "testing/consumers/files");

export async function checkMetadata({ folder, packages }, { write }) {
  mkdirSync(FILES, { recursive: true });
  const faults = [];
  for (const each of packages) {
    faults.push(...(await published(each)), ...manifestFaults(each), ...strayFiles(each));
    faults.push(...compareText(join(FILES, `${each.name}.txt`), kindsOf(each.files), { write }));
  }
  return [...faults, ...installScripts(folder)];
}

/** publint for all packages; arethetypeswrong for those that are imported, which the CLI is not. */
async function published({ manifest, source, tarball }) {
  const runs = [[join(root, "node_modules/publint/src/cli.js"), source, "--strict"]];
  if (manifest.exports !== undefined) {
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    runs.push([attw, tarball]);
  }
  const results = await Promise.all(runs.map((args) => runNode(args)));
  return results.filter(({ status }) => status !== 0).map(({ stdout, stderr }) => `${stdout}${stderr}`);
}

/** The fields that npm needs, and that users and npm's pages show. */
function manifestFaults({ name, source, manifest }) {
  const rules = {
    "a description, keywords": manifest.description !== undefined && manifest.keywords?.length > 0,
    "license MIT, and its text": manifest.license === "MIT" && existsSync(join(source, "LICENSE")),
    "the engines of the workspace": manifest.engines?.node === readManifest(root).engines.node,
    "publishConfig: access public; provenance only with a repository": isPublic(manifest),
    "a homepage and bugs only with a repository":
      manifest.repository !== undefined || (manifest.homepage === undefined && manifest.bugs === undefined),
    files: manifest.files?.length > 0,
    "no install scripts": INSTALL_SCRIPTS.every((script) => manifest.scripts?.[script] === undefined),
    "the repository of the workspace": hasRepository(name, manifest),
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `packages/${name}/package.json: missing or wrong: ${rule}`);
}

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** npm refuses to publish with provenance outside a public CI that it knows, and without a repository. */
function isPublic({ publishConfig, repository }) {
  return (
    publishConfig?.access === "public" && publishConfig.provenance === (repository === undefined ? undefined : true)
  );
}

/**
 * npm gives provenance only to packages that name the repository which publishes them. The workspace names it once it has an
 * address, as in a workflow of GitHub; then each package must name the same repository and its own folder.
 */
function hasRepository(name, { repository }) {
  const { repository: ours } = readManifest(root);
  if (ours === undefined) return repository === undefined && process.env.GITHUB_REPOSITORY === undefined;
  return repository?.type === "git" && repository.url === ours.url && repository.directory === `packages/${name}`;
}

/**
 * One line for each folder and kind of file. A new folder or kind is a difference, another module of a known kind is
 * not.
 */
function kindsOf(files) {
  return `${[...new Set(files.map((path) => path.replace(/(?<=\/)[^./]+(?=\.[^/]*$)/, "*")))].sort().join("\n")}\n`;
}

/** Finds files in dist whose source is gone. They would be published. */
function strayFiles({ name, files, source }) {
  return files
    .filter((path) => /^dist\/[^/]+$/.test(path) && sourceOfEntry(source, `./${path}`) === undefined)
    .map((path) => `packages/${name}/${path} has no source: remove dist and build again`);
}

/** npm marks packages with install scripts in its lock file. If the script of an optional package fails, npm continues without it. */
function installScripts(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([, { hasInstallScript, optional }]) => hasInstallScript && optional !== true)
    .map(([path]) => `${path} runs a script when it is installed`);
}
