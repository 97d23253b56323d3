/** Clients with the settings that a series store needs, and clients that record their calls. */
import type { Client, ClientConfig } from "hazelcast-client";
import type { TestCluster } from "../harness/cluster.ts";

/** The settings that opening a store requires. */
export const SETTINGS = {
  network: { redoOperation: true },
  properties: { "hazelcast.client.operation.fail.on.indeterminate.state": true },
} as const satisfies ClientConfig;

/** A client with these settings. */
export function seriesClient(cluster: TestCluster): Promise<Client> {
  return cluster.client(SETTINGS);
}

/** A client that calls `before` before each call of a map. The call throws what `before` throws. */
export function watched(client: Client, before: (map: string, method: string, args: unknown[]) => void): Client {
  const getMap = async (name: string): Promise<object> => {
    const map = await client.getMap(name);
    return withCalls(map, (method, call) => {
      return (...args: unknown[]): unknown => {
        before(name, method, args);
        return call(...args);
      };
    });
  };
  return withCalls(client, (method, call) => (method === "getMap" ? getMap : call));
}

type Call = (...args: never[]) => unknown;
type AnyCall = (...args: unknown[]) => unknown;

/** Wraps the methods of an object. */
function withCalls<T extends object>(object: T, change: (name: string, call: AnyCall) => Call): T {
  return new Proxy(object, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return change(String(name), (...args) => Reflect.apply(member, target, args));
    },
  });
}

/** A client that records its calls of maps, each as the map's name, a space and the method. */
export function noted(client: Client): { readonly client: Client; readonly calls: string[] } {
  const calls: string[] = [];
  return { client: watched(client, (map, method) => calls.push(`${map} ${method}`)), calls };
}

/** Deletes all maps of a store. */
export async function destroy(client: Client, name: string): Promise<void> {
  for (const object of await client.getDistributedObjects()) {
    const map = object.getName();
    if (map === `${name}:store` || map.startsWith(`${name}.`)) await object.destroy();
  }
}
