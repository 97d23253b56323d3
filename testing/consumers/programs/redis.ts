import { schema, u8, utf8, withDefault } from "@moonpack/pck";
import {
  DecodeError,
  type DistinctCodec,
  EncodeError,
  type ErrorHandler,
  type FramedCodecOptions,
  framed,
  type IoredisClient,
  type JobValues,
  jobValues,
  MoonpackError,
  type NodeRedisClient,
  type PackedJob,
  type RangeOptions,
  REDIS_ERROR_CODES,
  type ReadOptions,
  type RedisClient,
  RedisValueError,
  type RedisValues,
  type RedisValuesOptions,
  redisValues,
  type SetOptions,
  type StreamEntries,
  type StreamEntry,
  type ValueCodec,
  type ValueOptions,
  type ValuePlace,
  type ValuesInput,
} from "@moonpack/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";

const UserV1 = schema("User", utf8("name"));
const User = schema("User", utf8("name"), withDefault(u8("level"), 1));
type User = { name: string; level: number };

const older: FramedCodecOptions = { older: [UserV1] };
const codec: DistinctCodec<User, User> = framed(User, older);
const plain: ValueCodec<User, User> = codec;
const options: RedisValuesOptions & ValueOptions = { json: true, undecodable: "throw" };

/** Calls that need a server: only their types are checked. */
async function use(users: RedisValues<User, User>): Promise<unknown> {
  const set: SetOptions = { ttl: 5, condition: "NX" };
  const range: RangeOptions = { count: 1 };
  const read: ReadOptions = { ...range, block: 5 };
  const values: ValuesInput<User> = { a: { name: "Ada", level: 1 } };
  const onError: ErrorHandler = (error) => console.log(error.key);
  await users.set("a", { name: "Ada", level: 1 }, set);
  await users.hSet("h", values);
  const entries: StreamEntry<User>[] = await users.xRange("s", "-", "+", range);
  const streams: StreamEntries<User>[] = await users.xRead({ s: "0" }, read);
  await (await users.subscribe("c", (user) => console.log(user.level), { onError }))();
  return [entries, streams, await users.hGetAll("h")];
}

const ioredis: IoredisClient = new Redis({ lazyConnect: true });
const nodeRedis: NodeRedisClient = createClient();
for (const client of [ioredis, nodeRedis] satisfies RedisClient[]) {
  const users = redisValues(client, { codec: plain });
  const user = users.decode(users.encode({ name: "Ada", level: 7 }));
  console.log(typeof use, JSON.stringify(user));
  // function {"name":"Ada","level":7}
  // function {"name":"Ada","level":7}
}

const both = redisValues<unknown>(ioredis, { ...options, undecodable: "throw" });
console.log(JSON.stringify(both.decode(Buffer.from('{"a":1}')))); // {"a":1}
try {
  redisValues(ioredis).decode(Buffer.from('{"a":1}'), "k");
} catch (error) {
  const known = error instanceof RedisValueError && error instanceof DecodeError;
  const place: ValuePlace | false = known && error;
  console.log(place && place.key, known && error.code in REDIS_ERROR_CODES, error instanceof MoonpackError); // k true true
}

const jobs: JobValues<User, User> = jobValues({ codec });
const data: PackedJob = jobs.pack({ name: "Ada", level: 7 });
console.log(Object.keys(data).length, JSON.stringify(jobs.unpack(data))); // 1 {"name":"Ada","level":7}
try {
  jobs.pack({ name: "Ada", level: 700 });
} catch (error) {
  console.log(error instanceof EncodeError && error.path); // $.level
}
