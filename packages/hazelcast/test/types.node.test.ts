/** The package's declarations compile with each version of the client. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SHARE } from "@moonpack/tools/share";
import { expect, test } from "vitest";
import { CLIENTS, withProject } from "./harness/project.ts";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

const PROGRAM = `
import session from "express-session";
import { Client, type IMap, type SerializationConfig } from "hazelcast-client";
import { moonpackSerialization, Packed, sessionStore, stored, UndecodableError, Undecoded, type MoonpackSerialization } from "@moonpack/hazelcast";
import { omitEmpty, schema, u64, u8, utf8, type Infer } from "@moonpack/pck";

const S = schema("Player", utf8("name"), u8("score"), omitEmpty(utf8("note")), u64("id"));
export class Player extends stored(1001, S, { older: [schema("Player", utf8("name"))], codec: { int64: "bigint" } }) {
  get shout(): string { return this.name.toUpperCase() + this.note.length; }
}
export const player = new Player({ name: "ann", score: 7, id: 1 });
export const infer: Infer<typeof S> = player;
export const id: bigint = player.id;
// @ts-expect-error: a field is missing
new Player({ name: "ann" });
// @ts-expect-error: a field of another type
new Player({ name: 7, score: 7, id: 1n });

export const serialization: MoonpackSerialization = moonpackSerialization({
  stored: [Player], write: "msgpack", undecodable: (value: Undecoded) => value.bytes.length,
  msgpack: { encoder: { fidelity: "js" }, decoder: { int64: "bigint" } }, client: { isBigEndian: false },
});
export const config: SerializationConfig = serialization;
// @ts-expect-error: not a stored class
moonpackSerialization({ stored: [Date] });
// @ts-expect-error: an unknown choice
moonpackSerialization({ undecodable: "drop" });

export async function main(): Promise<string> {
  const client = await Client.newHazelcastClient({ clusterName: "dev", serialization });
  const attached = await serialization.attach(client, { map: "schemas", settle: 5 });
  const map: IMap<Packed, Player> = await client.getMap("players");
  await map.set(new Packed({ a: 1 }), player);
  const store: session.Store = sessionStore(await client.getMap<string, unknown>("sessions"), { ttl: 1000, prefix: "a" });
  session({ secret: "a", store });
  try {
    return (await map.get(new Packed({ a: 1 }))).shout + attached.problems.length;
  } catch (error) {
    if (error instanceof UndecodableError) return error.undecoded.error.code + error.fingerprint;
    throw error;
  }
}
`;

const versions = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];
// A compilation takes seconds. A share compiles only the version that the tests themselves are not compiled with.
test.each(SHARE < 1 ? versions.slice(1) : versions)("client %s", async (client) => {
  await withProject(client, async (folder) => {
    writeFileSync(join(folder, "program.mts"), PROGRAM);
    const options = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--esModuleInterop"];
    const target = [
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--lib",
      "es2022,esnext.disposable",
      "--types",
      "node",
    ];
    // The client's declarations do not compile without it, and moonpack's declarations name types of the DOM.
    const args = [TSC, ...options, ...target, "--skipLibCheck", "program.mts"];
    const run = () => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    expect(run()).toBe("");
  });
});
