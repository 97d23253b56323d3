// Runs the programs in this Node as ES modules and through require(), and the command. Checks in every installed line of
// Node that both ways show the same names and recognise each other's instances.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promised } from "@moonpack/tools/pages";
import { findRuntime } from "@moonpack/tools/runtimes";
import { faultsOf, run, runNode } from "./run.mjs";

const LINES = ["node-20", "node-22", "node-24", "node-26"];

export async function checkNode(project) {
  const { folder, programs } = project;
  const files = programs.flatMap((program) => [
    { program, file: join(folder, "out/esm", `${program.name}.js`) },
    { program, file: join(folder, "out/cjs", `${program.name}.cjs`) },
  ]);
  return [
    ...(await faultsOf(files, ({ program, file }) => runProgram(program, [file], folder))),
    ...(await faultsOf(await nodesHere(), async (node) => [
      ...(await bothModules(programs, folder, node, "module")),
      ...(await bothModules(programs, folder, node, "commonjs")),
    ])),
    ...(await command(project)),
  ];
}

/** This Node and the other installed lines. The tests of the runtimes report missing ones. */
async function nodesHere() {
  const found = await Promise.all(LINES.map(findRuntime));
  return [...new Set([process.execPath, ...found.filter((node) => node !== undefined).map((node) => node.executable)])];
}

/** Runs a program. Returns a fault if its output is not what its comments promise. */
export async function runProgram({ source }, args, folder) {
  const { status, stdout, stderr } = await runNode(args, { cwd: folder });
  const expected = `${promised(source).join("\n")}\n`;
  if (status === 0 && stderr === "" && stdout === expected) return [];
  return [`${args.at(-1)}: exit ${status}\n${stdout}${stderr}expected\n${expected}`];
}

/**
 * Runs programs in one process, one after the other, which takes a tenth of the time of a process for each. `files` are theirs.
 * Returns the faults.
 */
export async function runInTurn(programs, files, flags, folder) {
  if (programs.length === 0) return [];
  const lines = programs.map(({ source }) => promised(source));
  const list = files.map((file, i) => [file, lines[i].length]);
  const runner = fileURLToPath(new URL("run-sequentially.mjs", import.meta.url));
  const { status, stdout, stderr } = await runNode([...flags, runner, JSON.stringify(list)], { cwd: folder });
  if (status !== 0 || stderr !== "") return [`${files[0]} and others: exit ${status}\n${stdout}${stderr}`];
  return JSON.parse(stdout).flatMap((printed, i) => {
    const expected = lines[i].join("\n");
    return printed === expected ? [] : [`${files[i]}:\n${printed}\nexpected\n${expected}\n`];
  });
}

const MAKE_REQUIRE = `
    import { createRequire } from "node:module";
    import { join } from "node:path";
    const require = createRequire(join(process.cwd(), "main.cjs"));`;

/**
 * `import` and `require()` show the same names, and recognise each other's instances by the brands of their classes: asked by
 * an ES module, and by a CommonJS module, whose `import()` it is.
 */
async function bothModules(programs, folder, node, kind) {
  const names = programs.map(({ specifier }) => specifier);
  const test = `
    ${kind === "module" ? MAKE_REQUIRE : ""}
    const isBranded = (value) => typeof value === "function" && Object.hasOwn(value, "brand");
    const compare = async (name) => {
      const [imported, required] = [await import(name), require(name)];
      const keys = Object.keys(imported);
      if (keys.length === 0 && !name.endsWith("/register")) console.log(name + " exports nothing");
      if (required.default !== undefined && imported.default === undefined) console.log(name + " has a default export only through require()");
      const others = Object.keys(required).sort();
      if (keys.sort().join() !== others.join()) console.log(name + " has other names through require(): " + others.join());
      for (const key of keys) {
        const [one, other] = [imported[key], required[key]];
        if (typeof one !== typeof other) console.log(name + " has another kind of export through require(): " + key);
        if (isBranded(one) && !(Object.create(other.prototype) instanceof one && Object.create(one.prototype) instanceof other))
          console.log(name + " does not recognise instances of its other module: " + key);
      }
    };
    (async () => { for (const name of ${JSON.stringify(names)}) await compare(name); })();`;
  const { status, stdout, stderr } = await run(node, ["--no-warnings", `--input-type=${kind}`, "-e", test], {
    cwd: folder,
  });
  return status === 0 && stdout + stderr === "" ? [] : [`${node}: exit ${status}\n${stdout}${stderr}`];
}

async function command({ folder, packages }) {
  const { manifest } = packages.find(({ name }) => name === "cli");
  const bin = join(folder, "node_modules/@moonpack/cli", manifest.bin.moonpack);
  const { stdout, stderr } = await runNode([bin, "--version"], { cwd: folder });
  return stdout.trim() === manifest.version ? [] : [`moonpack --version printed ${stdout}${stderr}`];
}
