/** Inferred types, checked by the compiler (scripts/types-of-tests.mjs). */

import { codec, schema, u8, utf8 } from "@moonpack/pck";
import type { Redis } from "ioredis";
import type { Redis as Redis6 } from "ioredis-6";
import { Picker, type Raw } from "moonpack/pick";
import type { createClient, createCluster } from "redis";
import type { createClient as createClient6 } from "redis-6";
import { expectTypeOf, test } from "vitest";
import {
  framed,
  jobValues,
  type RedisClient,
  type RedisValueError,
  type RedisValues,
  redisValues,
} from "../src/index.ts";

const Player = schema("Player", utf8("name"), u8("level"));
interface Player {
  name: string;
  level: number;
}

test("types", () => {
  const types = (client: RedisClient) => {
    const players = redisValues(client, { codec: framed(Player) });
    expectTypeOf(players.get("k")).resolves.toEqualTypeOf<Player | undefined>();
    expectTypeOf(players.hGetAll("k")).resolves.toEqualTypeOf<Record<string, Player>>();
    expectTypeOf(redisValues(client, { codec: codec(Player) }).mGet([])).resolves.toEqualTypeOf<
      (Player | undefined)[]
    >();
    // @ts-expect-error a value of another form
    void players.set("k", { name: 7, level: 1 });
    const some = redisValues<{ a: number }>(client);
    expectTypeOf(some).toEqualTypeOf<RedisValues<{ a: number }, { a: number }>>();
    expectTypeOf(redisValues(client)).toEqualTypeOf<RedisValues<unknown, unknown>>();
    const kept = redisValues(client, { codec: framed(Player), undecodable: "keep" });
    expectTypeOf(kept.get("k")).resolves.toEqualTypeOf<Player | RedisValueError | undefined>();
    expectTypeOf(jobValues({ codec: framed(Player) }).unpack).returns.toEqualTypeOf<Player>();
    expectTypeOf(jobValues<number>().pack).parameter(0).toEqualTypeOf<number>();
    const picker = new Picker({ name: "/name", tags: "/tags/*/id", body: "/body" }, { raw: ["body"] });
    interface Stored {
      readonly name: string;
      readonly tags?: readonly { readonly id: number }[];
    }
    type Found = { name: string; tags: number[] | undefined; body: Raw | undefined };
    expectTypeOf(redisValues<Stored>(client).pick(picker).get("k")).resolves.toEqualTypeOf<Found | undefined>();
    const keeping = redisValues<Stored>(client, { undecodable: "keep" }).pick(picker);
    expectTypeOf(keeping.mGet([])).resolves.toEqualTypeOf<(Found | RedisValueError | undefined)[]>();
    expectTypeOf(redisValues(client).pick(picker).get("k")).resolves.toEqualTypeOf<
      { name: unknown; tags: unknown; body: Raw | undefined } | undefined
    >();
    // @ts-expect-error it only reads
    void redisValues<Stored>(client).pick(picker).set("k", { name: "Ada" });
    void players.subscribe("c", (player) => expectTypeOf(player).toEqualTypeOf<Player>());
  };
  expectTypeOf(types).toBeFunction();
  // The client types of each library.
  expectTypeOf<Redis>().toExtend<RedisClient>();
  expectTypeOf<Redis6>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createClient6>>().toExtend<RedisClient>();
  expectTypeOf<string>().not.toExtend<RedisClient>();
});
