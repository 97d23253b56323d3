import { type Command, Option } from "commander";
import type { ServeOptions } from "../prometheus/serve.js";
import { DRIVERS } from "../series/store.js";
import { UsageError } from "../shared/failure.js";

/** Adds `moonpack prometheus` and its commands to the program. */
export function addPrometheus(program: Command): void {
  const prometheus = program
    .command("prometheus")
    .description(
      "Answers Prometheus' queries (PromQL) over a store of time series (@moonpack/series), for Grafana and others.",
    )
    .addHelpText("after", HELP);
  addServe(prometheus);
}

const HELP = `
Exit codes: 0 done; 1 a damaged store, or an address that cannot be used;
2 bad usage.

Examples:
  moonpack prometheus serve metrics
  moonpack series query metrics --promql 'sum(rate(requests_total[5m]))'

moonpack prometheus COMMAND --help lists the options, with examples.
`;

function addServe(prometheus: Command): void {
  prometheus
    .command("serve")
    .summary("serve Prometheus' HTTP API over a store")
    .description(
      "Serves Prometheus' HTTP API over a store, until Ctrl-C. The store is opened for reading: another process can write to it at the " +
        "same time. With --write this process writes: a missing store is created, and Prometheus and others can send to " +
        "/api/v1/write. Requests are not authenticated. By default only programs on this machine can connect: --host chooses another address.",
    )
    .argument("<path>", "the store's folder")
    .option("-p, --port <port>", "port to listen on; 0 chooses a free one", portArgument, 9090)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--write", "open the store for writing too, and receive remote writes", false)
    .addOption(
      new Option("--driver <name>", "driver of the store (default: the one it was created with)").choices(DRIVERS),
    )
    .addHelpText("after", SERVE_HELP)
    .action(async (path: string, options: ServeOptions) => {
      const { serveStore } = await import("../prometheus/serve.js");
      await serveStore(path, options);
    });
}

const SERVE_HELP = `
Grafana: add a data source Prometheus with the printed address.

Exit codes: 0 ended by a signal; 1 a damaged or locked store, or an address that
cannot be used; 2 bad usage.

Examples:
  moonpack prometheus serve metrics
  moonpack prometheus serve metrics --port 9091
  moonpack prometheus serve metrics --write
  curl 'http://127.0.0.1:9090/api/v1/query?query=up'
`;

function portArgument(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not ${text}`);
}
