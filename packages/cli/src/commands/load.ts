import { type Command, Option } from "commander";
import {
  countOption,
  durationOption,
  failIfOption,
  headerOption,
  mixOption,
  payloadOption,
  rampOption,
  rateOption,
  seedOption,
} from "../load/arguments.js";
import type { LoadArguments } from "../load/run.js";

/** Adds `moonpack load` to the program. Its code is loaded when it runs. */
export function addLoad(program: Command): void {
  program
    .command("load")
    .description(
      "Runs a load test against a target. Prints its operations per second, and percentiles of the time of an operation from HDR " +
        "histograms. A fixed number of operations is in flight. With --rate, operations start on a fixed schedule, and their times count " +
        "from when they were due. Short options mean the same as in autocannon.",
    )
    .argument("<target>", "server, store or module to test, see below")
    .option("-m, --method <method>", "http: the method (default: GET; PUT for set)")
    .option("-H, --header <header>", 'http: a header, NAME=VALUE or "NAME: VALUE"; may be repeated', headerOption)
    .option("-b, --body <text>", "http: the body of each request")
    .addOption(new Option("--scenario <name>", "what operations do").choices(["get", "set", "mixed"]))
    .option("--mix <percent>", "mixed: percentage of gets (default: 80)", mixOption)
    .option(
      "--payload <size>",
      "3, 1k, 100k .. bytes, or a .json or .ndjson file with records (default: 1k)",
      payloadOption,
    )
    .addOption(new Option("--codec <name>", "how values become bytes").choices(["json", "msgpack", "pck"]))
    .option("--schema <file>", "the schema for --codec pck")
    .option("--export <name>", "the schema's export in a module")
    .option("--keys <n>", "number of keys (default: 10000)", countOption("--keys"))
    .addOption(new Option("--distribution <name>", "how keys are drawn").choices(["uniform", "zipf"]))
    .option("--seed <n>", "seed of the random keys and values (default: 1)", seedOption)
    .option(
      "-c, --concurrency <n>",
      "operations in flight; with --rate, at most (default: 64)",
      rampOption(countOption("--concurrency")),
    )
    .option("-R, --rate <n>", "start operations on a fixed schedule, n a second", rateOption("--rate"))
    .option(
      "-r, --connection-rate <n>",
      "the same, n a second for each of --concurrency",
      rateOption("--connection-rate"),
    )
    .option("-a, --operations <n>", "operations of a round, instead of --duration", countOption("--operations"))
    .option("-d, --duration <time>", "length of a round (default: 10s)", durationOption("--duration", 1, "24h"))
    .option(
      "--warmup <time>",
      "run the load first without measuring (default: 3s)",
      durationOption("--warmup", 0, "24h"),
    )
    .option("--rounds <n>", "number of rounds (default: 5)", countOption("--rounds"))
    .option(
      "-t, --timeout <time>",
      "a longer operation is an error (default: 10s)",
      durationOption("--timeout", 1, "1h"),
    )
    .option("--json <file>", "write the result as JSON")
    .option("--markdown <file>", "write the report as Markdown")
    .option("--svg <file>", "write a picture")
    .option("--compare <old>", "show a result of --json beside this one")
    .option("--fail-if <condition>", "exit code 1 if it holds; may be repeated", failIfOption)
    .addHelpText("after", HELP)
    .action(async (target: string, options: LoadArguments) => {
      const { loadTarget } = await import("../load/run.js");
      await loadTarget(target, options);
    });
}

const HELP = `
Targets:
  http://HOST/PATH        GET, or PUT for set; {key} stands for the key of an
                          operation
  tcp://HOST:PORT         a server that sends back every byte
  hazelcast://HOST:PORT/MAP
                          a map, which must be empty; HOST:PORT,.. for several
                          members; needs npm install hazelcast-client
  series:PATH             a store of time series; writes and reads metrics named
                          moonpack.load
  FILE.mjs (.js .ts ..)   a module that exports get, set or both, and may export
                          setup, check and close; or a function as default

A TIME is 500ms, 10s or 1.5m; a number alone is seconds. A run takes --warmup
and --rounds times --duration: 53 s by default.

A ramp is FROM..TO, in --rate or --concurrency: from the first round to the last
the load changes in equal steps, and the table shows each round with its load.

Conditions of --fail-if: a figure, < <= > or >=, and a value with its unit.
  p50 p90 p99 p99.9 max mean    response times: 'p99>5ms' (ns us ms s)
  service.p99, late.p99         times from the start; how late operations start
  throughput                    operations a second: 'throughput<20k'
  errors                        'errors>10', 'errors>0.1%' of all operations
With --compare, percentages are of the old result: 'p99>110%'.

Without a condition on errors, any error fails. A wrong answer always does.
Ctrl-C waits at most 2 s for the operations in flight, and writes all outputs. A
second Ctrl-C ends immediately.

Exit codes: 0 done; 1 errors, wrong answers, a --fail-if condition that holds,
or a target that cannot be reached; 2 bad usage; 130 interrupted.

Examples:
  moonpack load http://127.0.0.1:3000/ -c 10 -d 5
  moonpack load http://127.0.0.1:3000/ --rate 2000 --duration 30s
  moonpack load http://127.0.0.1:3000/ --rate 500..5k --rounds 10
  moonpack load http://127.0.0.1:3000/users -m POST -b '{"name":"Ada"}' \\
    -H content-type=application/json
  moonpack load ./target.mjs --scenario mixed --distribution zipf --svg a.svg
  moonpack load tcp://127.0.0.1:7000 --payload 100k --json new.json \\
    --compare old.json --fail-if 'throughput<95%' --fail-if 'p99>5ms'
`;
