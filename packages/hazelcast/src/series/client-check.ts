/** Checks the client's settings. With other settings an acknowledged write can be lost when one member fails. */
import type { Client } from "hazelcast-client";
import { invalidArgument } from "moonpack/bytes";

const FAIL_ON_INDETERMINATE = "hazelcast.client.operation.fail.on.indeterminate.state";

/**
 * Throws `ERR_INVALID_ARGUMENT` unless the client repeats writes to a failed member, and reports success only after the backups have
 * the write. By default the client does neither.
 */
export function checkClient(client: Client): void {
  if (typeof client?.getConfig !== "function") throw invalidArgument("the store needs a client of hazelcast-client");
  const { network, properties, backupAckToClientEnabled } = client.getConfig();
  const wrong: string[] = [];
  if (network?.redoOperation !== true) wrong.push("network.redoOperation must be true");
  if (properties?.[FAIL_ON_INDETERMINATE] !== true) wrong.push(`properties["${FAIL_ON_INDETERMINATE}"] must be true`);
  // Without these two only the members wait for backups, and they report success although a backup did not answer.
  if (network?.smartRouting === false) wrong.push("network.smartRouting must not be false");
  if (backupAckToClientEnabled === false) wrong.push("backupAckToClientEnabled must not be false");
  if (wrong.length === 0) return;
  throw invalidArgument(`this client could lose acknowledged points when one member fails: ${wrong.join("; ")}`);
}
