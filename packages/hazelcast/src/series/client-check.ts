/** The client's settings without which an acknowledged write may be lost with one member. */
import type { Client } from "hazelcast-client";
import { invalidArgument } from "moonpack/bytes";

const FAIL_ON_INDETERMINATE = "hazelcast.client.operation.fail.on.indeterminate.state";

/**
 * Throws `ERR_INVALID_ARGUMENT` unless the client repeats writes of a member that is gone, and reports success only when the backups
 * have a write. By default it does neither.
 */
export function checkClient(client: Client): void {
  const { network, properties, backupAckToClientEnabled } = client.getConfig();
  const wrong: string[] = [];
  if (network?.redoOperation !== true) wrong.push("network.redoOperation must be true");
  if (properties?.[FAIL_ON_INDETERMINATE] !== true) wrong.push(`properties["${FAIL_ON_INDETERMINATE}"] must be true`);
  // Without these two only members wait for backups, and they report success when one is silent.
  if (network?.smartRouting === false) wrong.push("network.smartRouting must not be false");
  if (backupAckToClientEnabled === false) wrong.push("backupAckToClientEnabled must not be false");
  if (wrong.length === 0) return;
  throw invalidArgument(`with this client acknowledged points could be lost with one member: ${wrong.join("; ")}`);
}
