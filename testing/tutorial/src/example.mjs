// node testing/tutorial/src/example.mjs: writes examples/pck-weather, the project at the end of docs/pck-tutorial.md: the
// files that the page shows, and the files that the command line emits. With --check it changes nothing and exits with
// 1 if
// there is a difference.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { filesOf, tutorialSteps } from "./steps.mjs";

const example = join(root, "examples/pck-weather");
const check = process.argv.includes("--check");
const again = "run node testing/tutorial/src/example.mjs";

for (const [path, text] of filesOf(tutorialSteps())) {
  const file = join(example, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (check) {
    console.error(`examples/pck-weather/${path} differs from docs/pck-tutorial.md: ${again}`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote examples/pck-weather/${path}`);
  }
}

for (const args of [
  "src/weather.ts --target ts --out src/generated",
  "src/weather.ts --target go --package weather --out service/weather --older V1=src/weather-1.ts",
  "src/weather-1.ts --target go --package weather1 --out service/weather1",
]) {
  const command = [join(root, "packages/cli/dist/main.js"), "emit", ...args.split(" "), ...(check ? ["--check"] : [])];
  const { INIT_CWD: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: example, env, encoding: "utf8" });
  if (status === 0) continue;
  console.error(`examples/pck-weather: ${again}\n${stdout}${stderr}`);
  process.exitCode = 1;
}
