// Packs each published package as npm would and looks at it as its users will: publint, arethetypeswrong, an install
// into an empty project, and every subpath from ESM and from require().
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";

const work = mkdtempSync(join(tmpdir(), "moonpack-packages-"));
let failed = false;

function run(command, args, cwd = root) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) {
    failed = true;
    console.error(`FAILED: ${command} ${args.join(" ")}\n${stdout}${stderr}`);
  }
  return stdout;
}

try {
  for (const name of ["moonpack", "cli"]) {
    const folder = join(root, "packages", name);
    run("npm", ["pack", "--pack-destination", work, "--loglevel=error"], folder);
    run(process.execPath, [join(root, "node_modules/publint/src/cli.js"), folder, "--strict"]);
  }
  const tarballs = readdirSync(work)
    .filter((file) => file.endsWith(".tgz"))
    .map((file) => join(work, file));
  const library = tarballs.find((file) => /moonpack-\d/.test(file) && !file.includes("cli"));
  run(process.execPath, [
    join(root, "node_modules/@arethetypeswrong/cli/dist/index.js"),
    library,
    "--profile",
    "esm-only",
  ]);

  writeFileSync(join(work, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs], work);
  const { exports } = JSON.parse(readFileSync(join(root, "packages/moonpack/package.json"), "utf8"));
  const subpaths = Object.keys(exports).filter((path) => !path.endsWith(".json") && !path.includes("*"));
  for (const path of subpaths) {
    const name = path === "." ? "moonpack" : `moonpack${path.slice(1)}`;
    if (name.endsWith("/register")) {
      run(process.execPath, ["--import", name, "-e", ""], work);
      continue;
    }
    const test = `const m = await import("${name}"); if (Object.keys(m).length === 0) throw new Error("empty")`;
    run(process.execPath, ["--input-type=module", "-e", test], work);
    run(
      process.execPath,
      ["--no-warnings", "--input-type=commonjs", "-e", `if (Object.keys(require("${name}")).length === 0) throw 1`],
      work,
    );
  }
  run(process.execPath, ["node_modules/@moonpack/cli/dist/main.js", "--version"], work);
  if (!failed) console.log(`${tarballs.length} packages, ${subpaths.length} subpaths: as they should be`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
