import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scratchFile } from "../../results.js";

const MODULE = fileURLToPath(new URL("../../../../../go/bench", import.meta.url));
const EQUALITY = "TestEquality";
const MODULES = ["github.com/tinylib/msgp", "google.golang.org/protobuf"];

const execute = promisify(execFile);

/** The program of the benchmarks, compiled. */
export interface GoBenchmarks {
  /** Of Go and of the rivals' modules. */
  readonly versions: Readonly<Record<string, string>>;
  /** Runs one benchmark in a process of its own, for about so many milliseconds, and answers what it prints. */
  run(path: readonly string[], milliseconds: number): Promise<string>;
}

/** Compiles the benchmarks; throws when Go is missing, or when a codec does not read what it wrote. */
export async function readyBenchmarks(): Promise<GoBenchmarks> {
  const go = await findGo();
  const modules = await printed("go", ["list", "-m", "-f", "{{.Path}} {{.Version}}", ...MODULES]);
  const program = scratchFile("go-bench.test");
  await printed("go", ["test", "-c", "-o", program, "."]);
  const equality = await printed(program, ["-test.v", "-test.run", `^${EQUALITY}$`]);
  // A name that no test has would be no failure to Go.
  if (!equality.includes(`--- PASS: ${EQUALITY} `)) throw new Error(`${EQUALITY} did not run: ${equality}`);
  return {
    versions: { Go: go, ...moduleVersions(modules) },
    run(path, milliseconds) {
      const pattern = ["Benchmark", ...path].map((part) => `^${part}$`).join("/");
      return printed(program, ["-test.run", "^$", "-test.bench", pattern, "-test.benchtime", `${milliseconds}ms`]);
    },
  };
}

/** The version of Go; throws a RangeError with what to do when there is none. */
export async function findGo(executable = "go"): Promise<string> {
  try {
    return (await printed(executable, ["env", "GOVERSION"])).trim().replace(/^go/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new RangeError("the suite go needs Go 1.24 or later in PATH: https://go.dev/dl", { cause: error });
  }
}

/** From a line for each module: its path and its version. */
function moduleVersions(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const [path, version] = line.split(" ");
        return [path, version?.replace(/^v/, "")] as const;
      }),
  );
}

/** What a command prints in the module's folder; a failure tells it too, for Go's tests say there what is wrong. */
async function printed(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { cwd: MODULE })).stdout;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw error;
    throw new Error(`${command} ${args.join(" ")}: ended with ${code}\n${stdout}${stderr}`, { cause: error });
  }
}
