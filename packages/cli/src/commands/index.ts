import type { Command } from "commander";

/** A command, as the help of the program lists it. */
export interface CommandEntry {
  /** The command with its arguments. */
  readonly usage: string;
  readonly summary: string;
  /** Loads what adds the command to the program. All commands together take half of the time to start. */
  readonly load: () => Promise<(program: Command) => void>;
}

/** The commands, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
  [
    "convert",
    {
      usage: "convert [options] [input] [output]",
      summary: "convert between JSON, NDJSON, MessagePack and PCK",
      load: async () => (await import("./convert.js")).addConvert,
    },
  ],
  [
    "inspect",
    {
      usage: "inspect [options] [file]",
      summary: "show every item of a MessagePack or PCK file, or what takes its space",
      load: async () => (await import("./inspect.js")).addInspect,
    },
  ],
  [
    "pick",
    {
      usage: "pick [options] <file> <paths...>",
      summary: "print some values of MessagePack or JSON, and skip the rest",
      load: async () => (await import("./pick.js")).addPick,
    },
  ],
  [
    "bench",
    {
      usage: "bench [options] <file>",
      summary: "time moonpack, JSON and other installed libraries on one file",
      load: async () => (await import("./bench.js")).addBench,
    },
  ],
  [
    "pack",
    {
      usage: "pack [options] <files...>",
      summary: "pack JSON files, check that they read back equal, and time it",
      load: async () => (await import("./pack.js")).addPack,
    },
  ],
  [
    "infer",
    {
      usage: "infer [options] [files...]",
      summary: "make a PCK schema from samples",
      load: async () => (await import("./infer.js")).addInfer,
    },
  ],
  [
    "compare",
    {
      usage: "compare [options] <old> <new>",
      summary: "show what changed between two PCK schemas, and what breaks",
      load: async () => (await import("./compare.js")).addCompare,
    },
  ],
  [
    "fingerprint",
    {
      usage: "fingerprint [options] <schema>",
      summary: "print the fingerprint of a PCK schema",
      load: async () => (await import("./fingerprint.js")).addFingerprint,
    },
  ],
  [
    "emit",
    {
      usage: "emit [options] <schema>",
      summary: "generate TypeScript, JavaScript or Go code from a PCK schema",
      load: async () => (await import("./emit.js")).addEmit,
    },
  ],
  [
    "load",
    {
      usage: "load [options] <target>",
      summary: "load test of a server, a store or a module",
      load: async () => (await import("./load.js")).addLoad,
    },
  ],
  [
    "series",
    {
      usage: "series",
      summary: "import, export, list, query, chart and check time series",
      load: async () => (await import("./series.js")).addSeries,
    },
  ],
  [
    "prometheus",
    {
      usage: "prometheus",
      summary: "answer Prometheus' queries over time series",
      load: async () => (await import("./prometheus.js")).addPrometheus,
    },
  ],
  [
    "completions",
    {
      usage: "completions [options] <shell>",
      summary: "print completions for bash, zsh or fish",
      load: async () => (await import("./completions.js")).addCompletions,
    },
  ],
]);

/** Returns the command that arguments name: the first word that is not an option, or the one after `help`. */
export function commandOf(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((argument) => !argument.startsWith("-"));
  const name = first === "help" ? second : first;
  return name !== undefined && COMMANDS.has(name) ? name : undefined;
}

/** True when arguments are known to print a text and to do nothing else: help, the version, or an unknown command. */
export function onlyPrints(args: readonly string[]): boolean {
  if (args[0] === "help" || commandOf(args) === undefined) return true;
  // An option before may take `--help` as its value.
  const at = args.findIndex((argument) => argument.startsWith("-"));
  return at === args.length - 1 && ["-h", "--help"].includes(args[at]!);
}
