// Hazelcast members on loopback. They end with the process that started them, however it ends.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const GUARD = fileURLToPath(new URL("hazelcast-guard.mjs", import.meta.url));
const MAIN = "com.hazelcast.core.server.HazelcastMemberStarter";
const SHOWN_OUTPUT = 4000;

/** Java's arguments for a member; the modules are taken from Hazelcast's own script. */
const JAVA_OPTIONS = [
  "-XX:+UseSerialGC",
  "-Djava.net.preferIPv4Stack=true",
  "--add-modules",
  "java.se",
  "--add-exports",
  "java.base/jdk.internal.ref=ALL-UNNAMED",
  "--add-opens",
  "java.base/java.lang=ALL-UNNAMED",
  "--add-opens",
  "java.base/sun.nio.ch=ALL-UNNAMED",
  "--add-opens",
  "java.management/sun.management=ALL-UNNAMED",
  "--add-opens",
  "jdk.management/com.sun.management.internal=ALL-UNNAMED",
];

/** A member behind its guard. */
export class Member {
  #guard;
  #ended;
  #output = "";

  /** `parts` come from `findRuntime("hazelcast")`. See hazelcast-member.d.mts for the rest. */
  constructor(parts, { clusterName, port, ports, folder, java = [], classpath = [], jet = false, config = "" }) {
    const path = join(folder, `${port}.yaml`);
    writeFileSync(path, configOf({ clusterName, port, ports, jet, config }));
    const jars = [parts.jars.hazelcast, ...classpath].join(delimiter);
    const args = [...JAVA_OPTIONS, ...java, `-Dhazelcast.config=${path}`, "-cp", jars, MAIN];
    this.#guard = spawn(process.execPath, [GUARD, parts.executable, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#ended = new Promise((resolve) => this.#guard.once("exit", () => resolve()));
    this.isStarted = new Promise((resolve, reject) => {
      this.#guard.stdout.setEncoding("utf8").on("data", (text) => {
        this.#output = (this.#output + text).slice(-SHOWN_OUTPUT);
        if (this.#output.includes("is STARTED")) resolve();
      });
      this.#ended.then(() => reject(new Error(`the member ended before it was started\n${this.#output}`)));
    });
  }

  /** The guard ends the guarded program with SIGKILL. */
  async kill() {
    this.#guard.stdin.end();
    await this.#ended;
  }
}

/** Hazelcast's YAML: loopback only, and only the features that tests and benchmarks use. */
function configOf({ clusterName, port, ports, jet, config }) {
  return `hazelcast:
  cluster-name: ${clusterName}
  properties:
    hazelcast.phone.home.enabled: false
    hazelcast.logging.type: jdk
    hazelcast.socket.bind.any: false
    hazelcast.socket.server.bind.any: false
    hazelcast.map.invalidation.batch.enabled: false
    hazelcast.io.thread.count: 1
    hazelcast.operation.thread.count: 2
    hazelcast.wait.seconds.before.join: 0
  network:
    port: { auto-increment: false, port: ${port} }
    public-address: 127.0.0.1
    interfaces: { enabled: true, interfaces: [127.0.0.1] }
    rest-api: { enabled: true, endpoint-groups: { HEALTH_CHECK: { enabled: true } } }
    join:
      auto-detection: { enabled: false }
      multicast: { enabled: false }
      tcp-ip: { enabled: true, member-list: [${ports.map((each) => `"127.0.0.1:${each}"`).join(", ")}] }
  jet: { enabled: ${jet} }
  metrics: { enabled: false }
${config}`;
}

/**
 * Free random ports, below the range from which systems choose ports for other programs: a port of that range could be taken
 * before the member starts.
 */
export async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
