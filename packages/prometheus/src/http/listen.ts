/** A server of the HTTP API. */
import type { AddressInfo } from "node:net";
import { countOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { Api } from "./api.js";
import { nodeHandler } from "./node.js";

/** The options of `listen`. */
export interface ListenOptions {
  /** The port. Default 9090; 0 chooses a free one. */
  readonly port?: number;
  /** The address or the name of the host to listen on. Default `"127.0.0.1"`. */
  readonly host?: string;
  /** Called with a text if other machines can reach the server. Default: a warning of the process. */
  readonly onWarning?: (text: string) => void;
}

/** A server that listens. */
export interface PrometheusServer {
  /** Its address: `http://127.0.0.1:9090`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Closes the server and its connections, which ends their queries. The store stays open. Later calls do nothing. */
  close(): Promise<void>;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i;

/** Starts a server. With `isReadOnly`, it does not write to its store. */
export async function listen(
  api: Api,
  isReadOnly: boolean,
  options: ListenOptions | undefined,
): Promise<PrometheusServer> {
  const given = ownOptions(options);
  refuseUnknown(given, ["port", "host", "onWarning"]);
  const { host = "127.0.0.1", onWarning = (text: string) => process.emitWarning(text, "PrometheusWarning") } = given;
  const port = countOption("port", given.port, 9090, 0, 65_535);
  if (typeof host !== "string" || host === "") throw invalidArgument("host must be an address or a name");
  if (typeof onWarning !== "function") throw invalidArgument("onWarning must be a function");
  const { createServer } = await import("node:http");
  const server = createServer(nodeHandler(api));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, resolve);
  });
  const { address, family, port: chosen } = server.address() as AddressInfo;
  if (!LOOPBACK.test(address))
    onWarning(
      `other machines can reach ${address}:${chosen}: whoever can connect can read ${isReadOnly ? "the" : "and write"} series of the store`,
    );
  let closed: Promise<void> | undefined;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${chosen}`,
    host: address,
    port: chosen,
    close: () => {
      closed ??= new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
      return closed;
    },
  };
}
