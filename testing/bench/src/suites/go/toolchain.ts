import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scratchFile } from "../../results.js";

const MODULE = fileURLToPath(new URL("../../../../../go/bench", import.meta.url));
const EQUALITY = "TestEquality";
const MODULES = ["github.com/tinylib/msgp", "google.golang.org/protobuf"];

const execute = promisify(execFile);

/** The compiled program of the benchmarks. */
export interface GoBenchmarks {
  /** Versions of Go and of the rivals' modules. */
  readonly versions: Readonly<Record<string, string>>;
  /** Runs one benchmark in its own process for about `milliseconds`. Returns its output. */
  run(path: readonly string[], milliseconds: number): Promise<string>;
}

/** Compiles the benchmarks. Throws when Go is missing, or when a codec does not read back what it wrote. */
export async function readyBenchmarks(): Promise<GoBenchmarks> {
  const go = await findGo();
  const modules = await printed("go", ["list", "-m", "-f", "{{.Path}} {{.Version}}", ...MODULES]);
  const program = scratchFile("go-bench.test");
  await printed("go", ["test", "-c", "-o", program, "."]);
  const equality = await printed(program, ["-test.v", "-test.run", `^${EQUALITY}$`]);
  // For Go, a pattern that matches no test is not a failure.
  if (!equality.includes(`--- PASS: ${EQUALITY} `)) throw new Error(`${EQUALITY} did not run: ${equality}`);
  return {
    versions: { Go: go, ...moduleVersions(modules) },
    run(path, milliseconds) {
      const pattern = ["Benchmark", ...path].map((part) => `^${part}$`).join("/");
      return printed(program, ["-test.run", "^$", "-test.bench", pattern, "-test.benchtime", `${milliseconds}ms`]);
    },
  };
}

/** Returns the version of Go. If Go is missing, throws a RangeError that says what to do. */
export async function findGo(executable = "go"): Promise<string> {
  try {
    return (await printed(executable, ["env", "GOVERSION"])).trim().replace(/^go/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new RangeError("the suite go needs Go 1.24 or later in PATH: https://go.dev/dl", { cause: error });
  }
}

/** Versions by module path, from a line for each module. */
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

/**
 * The output of a command in the module's folder. On failure the error contains it: Go's tests print the reason there.
 */
async function printed(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { cwd: MODULE })).stdout;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw error;
    throw new Error(`${command} ${args.join(" ")}: ended with ${code}\n${stdout}${stderr}`, { cause: error });
  }
}
