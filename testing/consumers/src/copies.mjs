// Checks the installations of npm: one copy of each package where all are installed together, and each package alone with our
// packages that it needs. The entries then load without the optional peers, except entries that are made for one.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installInto } from "./project.mjs";
import { faultsOf, runNode } from "./run.mjs";

export async function checkCopies({ folder, packages }) {
  return [...copiesIn(folder, packages), ...(await faultsOf(packages, (one) => alone(one, packages)))];
}

/** npm's lock file has an entry for each folder that it installed. */
function copiesIn(folder, packages) {
  const { packages: installed } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return packages.flatMap(({ manifest: { name } }) => {
    const copies = Object.keys(installed).filter((path) => `/${path}`.endsWith(`/node_modules/${name}`));
    return copies.length === 1 ? [] : [`${folder} has ${copies.length} copies of ${name}: ${copies.join(", ")}`];
  });
}

async function alone(one, packages) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-alone-")));
  try {
    const needed = neededBy(one, packages);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
    await installInto(folder, [...needed.map(({ tarball }) => tarball), "--omit=optional"]);
    const faults = [...copiesIn(folder, needed), ...(await loading(one.manifest, folder))];
    return faults.map((fault) => `${one.manifest.name} alone: ${fault}`);
  } catch (error) {
    return [`${one.manifest.name} alone: ${error.message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package and our packages that it depends on, also indirectly. Optional peers are not among them. */
function neededBy(one, packages) {
  const needed = new Set([one]);
  for (const { manifest } of needed)
    for (const each of packages) if (Object.hasOwn(manifest.dependencies ?? {}, each.manifest.name)) needed.add(each);
  return [...needed];
}

/** Loads each entry. One may lack its optional peer, which the error then names. */
async function loading({ name, exports = {}, peerDependenciesMeta = {} }, folder) {
  const specifiers = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const test = `
    const peers = ${JSON.stringify(Object.keys(peerDependenciesMeta))};
    const missesPeer = ({ code, message }) =>
      /MODULE_NOT_FOUND$/.test(code) && peers.some((peer) => new RegExp("'" + peer + "['/]").test(message));
    (async () => {
      for (const name of ${JSON.stringify(specifiers.map((path) => name + path.slice(1)))})
        for (const load of [(each) => import(each), require])
          try { await load(name); } catch (error) { if (!missesPeer(error)) console.log(name, error.message); }
    })();`;
  const { status, stdout, stderr } = await runNode(["--input-type=commonjs", "-e", test], { cwd: folder });
  return status === 0 && stdout + stderr === "" ? [] : [`exit ${status}\n${stdout}${stderr}`];
}
