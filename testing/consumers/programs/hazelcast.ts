import {
  type Attached,
  type AttachOptions,
  type MoonpackSerialization,
  type MsgpackOptions,
  moonpackSerialization,
  type OldSchema,
  Packed,
  type SchemaProblem,
  type SerializationOptions,
  type SessionRecord,
  type SessionStore,
  type SessionStoreOptions,
  type StoredBase,
  type StoredClass,
  type StoredInstances,
  type StoredOptions,
  sessionStore,
  stored,
  UndecodableError,
  Undecoded,
} from "@moonpack/hazelcast";
import { schema, u8, u16, utf8, withDefault } from "@moonpack/pck";
import session from "express-session";
import type { Client, ClientConfig, IMap } from "hazelcast-client";

const PlayerV1 = schema("Player", utf8("name"), u16("score"));
const PlayerV2 = schema("Player", utf8("name"), u16("score"), withDefault(u8("lives"), 3));
const older: readonly OldSchema[] = [PlayerV1];
const options: StoredOptions = { older };
const Base: StoredBase<typeof PlayerV2> = stored(1001, PlayerV2, options);
class Player extends Base {
  get isAlive(): boolean {
    return this.lives > 0;
  }
}
const classes: readonly (StoredClass & StoredInstances)[] = [Player];
const msgpack: MsgpackOptions = { typeId: 28016, encoder: { canonical: true } };
const settings: SerializationOptions = { stored: classes, msgpack, undecodable: "keep" };
const serialization: MoonpackSerialization = moonpackSerialization(settings);
const config: ClientConfig = { clusterName: "dev", serialization };

/** Uses that need a cluster: only their types are checked. */
async function use(client: Client, map: IMap<string, Player | Undecoded>): Promise<unknown> {
  const sharing: AttachOptions = { map: "schemas", settle: 0 };
  const attached: Attached = await serialization.attach(client, sharing);
  const problems: readonly SchemaProblem[] = attached.problems;
  const ann = await map.get("ann");
  if (ann instanceof Undecoded) {
    const why: UndecodableError = ann.error;
    await map.set("copy", ann);
    return [why.fingerprint, serialization.decode(ann)];
  }
  const sessions: SessionStoreOptions = { ttl: 1000 };
  const store: SessionStore = sessionStore(await client.getMap<string, unknown>("sessions"), sessions);
  const record: SessionRecord = { cookie: {} };
  store.set("id", record);
  await attached.detach();
  return [problems, ann?.isAlive, session({ store, secret: "s", resave: false, saveUninitialized: false })];
}

const ann = new Player({ name: "ann", score: 7, lives: 3 });
console.log(ann.isAlive, ann.lives, Player["~stored"], config.serialization === serialization, typeof use); // true 3 1001 true function
console.log(new Packed({ any: 1 }).value.any, UndecodableError.name); // 1 UndecodableError
try {
  moonpackSerialization({ stored: [Player, Player] });
} catch (error) {
  console.log(String(error)); // MoonpackError: type id 1001 is used twice
}
