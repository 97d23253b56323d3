// The tools to build the runner, and its source, from the packages of Debian and its descendants.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "./command.mjs";

const PACKAGES = ["g++", "protobuf-compiler", "libprotobuf-dev", "zlib1g-dev"];
const HEADERS = ["/usr/include/google/protobuf/message.h", "/usr/include/zlib.h"];

/** Installs the missing packages as root. Otherwise throws an error that names them. */
export async function ensureTools() {
  if (!starts("apt-get"))
    throw new Error("the conformance runner is built from Debian's source package, which needs apt-get");
  if (starts("g++") && starts("protoc") && HEADERS.every((path) => existsSync(path))) return;
  if (process.getuid() !== 0) throw new Error(`the conformance runner needs: apt-get install ${PACKAGES.join(" ")}`);
  console.error(`conformance runner: installing ${PACKAGES.join(" ")}`);
  await run("apt-get", ["update", "-qq"]);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...PACKAGES]);
}

function starts(command) {
  return spawnSync(command, ["--version"]).status === 0;
}

/**
 * Unpacks the source package of this name and upstream version into a folder below `work`. Returns that folder. It queries the
 * package sources of the machine, with separate lists. This needs no root and changes nothing in the system.
 */
export async function fetchSource(name, version, work) {
  const parts = join(work, "parts");
  const lists = join(work, "lists");
  const source = join(work, "source");
  for (const folder of [parts, join(lists, "partial"), source]) await mkdir(folder, { recursive: true });
  for (const path of await packageSources()) {
    await writeFile(join(parts, basename(path)), askedForSource(path, await readFile(path, "utf8")));
  }
  const options = Object.entries({
    "Dir::Etc::sourcelist": "/dev/null",
    "Dir::Etc::sourceparts": parts,
    "Dir::State::lists": lists,
    "Dir::Cache": work,
    "APT::Sandbox::User": "root", // apt's own user cannot read this folder
  }).flatMap(([option, value]) => ["-o", `${option}=${value}`]);
  // The update may fail for an address without source packages although another one has this package.
  const failure = await run("apt-get", [...options, "update"]).then(
    () => "",
    (error) => `${error.message}\n`,
  );
  await run("apt-get", [...options, "source", "--download-only", name], { cwd: work }).catch((error) => {
    throw new Error(`no source package of ${name}; add a deb-src line to the apt sources\n${failure}${error.message}`);
  });
  const archive = (await readdir(work)).find((file) => file.includes(".orig.tar."));
  if (!archive?.startsWith(`${name}_${version}.`)) throw new Error(`needs ${name} ${version}, found ${archive}`);
  await run("tar", ["-xf", join(work, archive), "--strip-components=1", "-C", source]);
  return source;
}

async function packageSources() {
  const folder = "/etc/apt/sources.list.d";
  const names = existsSync(folder) ? await readdir(folder) : [];
  const parts = names.filter((file) => /\.(sources|list)$/.test(file)).map((file) => join(folder, file));
  return ["/etc/apt/sources.list", ...parts].filter((path) => existsSync(path));
}

/** The machine's package sources, for source packages only. */
function askedForSource(path, text) {
  if (path.endsWith(".sources")) return text.replace(/^Types:.*$/gm, "Types: deb-src");
  const lines = text.match(/^deb .*$/gm) ?? [];
  return lines.map((line) => `${line.replace("deb", "deb-src")}\n`).join("");
}
