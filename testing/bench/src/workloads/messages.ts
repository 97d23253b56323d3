import type { Workload } from "../types.js";
import { Random, times } from "./random.js";

const COUNT = 512;
const NAMES = "Ada Grace Linus Barbara Donald Radia Ken Margaret Dennis Frances Edsger Jean Tony Sophie Alan".split(
  " ",
);
const SURNAMES = "Lovelace Hopper Torvalds Liskov Knuth Perlman Thompson Hamilton Ritchie Allen Dijkstra Hoare".split(
  " ",
);
const CITIES = ["Zürich", "Lisboa", "Osaka", "Montréal", "Nairobi", "Kraków", "Austin", "Pune"];

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-");
}

function isoTime(random: Random): string {
  return new Date(1_750_000_000_000 + random.integer(0, 30_000_000) * 1000).toISOString();
}

function person(random: Random): string {
  return `${random.pick(NAMES)} ${random.pick(SURNAMES)}`;
}

function tiny(random: Random): unknown {
  const types = ["ping", "pong", "ack", "subscribe", "publish", "heartbeat", "metrics", "cancel"];
  return { id: random.integer(0, 2_000_000_000), type: random.pick(types), ok: random.chance(0.9) };
}

/** Requests and short responses of about 100 bytes, in the shapes of one service. */
const SHORT: ((random: Random) => unknown)[] = [
  (random) => ({
    id: random.integer(1, 4_000_000),
    method: random.pick(["user.get", "order.get", "invoice.get"]),
    params: { id: uuid(random), fields: ["name", "email", "role"] },
  }),
  (random) => ({
    id: random.integer(1, 4_000_000),
    result: {
      accepted: random.chance(0.95),
      revision: random.integer(1, 900),
      updatedAt: isoTime(random),
      by: random.hex(12),
    },
  }),
  (random) => ({
    event: random.pick(["order.created", "order.paid", "order.shipped"]),
    at: 1_750_000_000 + random.integer(0, 30_000_000),
    order: random.hex(24),
    amount: random.integer(100, 250_000) / 100,
    currency: random.pick(["EUR", "USD", "JPY"]),
  }),
  (random) => ({
    id: random.integer(1, 4_000_000),
    error: { code: -32_000 - random.integer(0, 99), message: "not found: " + uuid(random), retry: random.chance(0.2) },
  }),
  (random) => ({
    topic: `sensors/${random.hex(6)}/${random.pick(["temperature", "humidity"])}`,
    seq: random.integer(0, 1_000_000),
    values: times(4, () => random.integer(-4000, 9000) / 100),
  }),
];

/** Responses of about 300 bytes: a record with nested parts and a short list. */
const LONG: ((random: Random) => unknown)[] = [
  (random) => ({
    id: random.integer(1, 4_000_000),
    result: {
      user: {
        id: uuid(random),
        name: person(random),
        email: `${random.hex(8)}@example.org`,
        role: random.pick(["admin", "editor", "viewer"]),
        active: random.chance(0.9),
        logins: random.integer(0, 5000),
        createdAt: isoTime(random),
        address: { city: random.pick(CITIES), zip: String(random.integer(10_000, 99_999)), country: null },
        tags: times(5, () => random.hex(6)),
      },
    },
  }),
  (random) => ({
    id: random.integer(1, 4_000_000),
    result: {
      order: random.hex(24),
      customer: person(random),
      currency: random.pick(["EUR", "USD", "JPY"]),
      items: times(random.integer(3, 4), () => ({
        sku: random.hex(8).toUpperCase(),
        quantity: random.integer(1, 20),
        price: random.integer(100, 90_000) / 100,
        taxRate: random.pick([0.19, 0.07, 0]),
      })),
      total: random.integer(1000, 900_000) / 100,
      paid: random.chance(0.7),
    },
  }),
  (random) => ({
    level: random.pick(["info", "warn", "error"]),
    time: isoTime(random),
    service: random.pick(["gateway", "billing", "search"]),
    host: `node-${random.integer(1, 40)}.example.org`,
    trace: random.hex(32),
    span: random.hex(16),
    message: `request ${uuid(random)} from ${random.pick(CITIES)} done`,
    http: {
      method: random.pick(["GET", "POST", "PUT"]),
      path: `/v1/orders/${random.hex(12)}`,
      status: 200,
      ms: random.next() * 80,
    },
  }),
  (random) => ({
    id: random.integer(1, 4_000_000),
    result: {
      total: random.integer(3, 4000),
      next: random.hex(20),
      hits: times(4, () => ({
        id: random.hex(12),
        title: `${person(random)}, ${random.pick(CITIES)}`,
        score: random.next(),
      })),
    },
  }),
];

/** Messages of different shapes, as on one connection, each with its own values. */
function messages(id: string, title: string, seed: number, makers: readonly ((random: Random) => unknown)[]): Workload {
  return {
    id,
    title,
    values: () => {
      const random = new Random(seed);
      return times(COUNT, () => random.pick(makers)(random));
    },
  };
}

/** Messages of a few kinds: the mix of a service, with hundreds of kinds, is the suite of that name. */
export const serviceMessages: Workload[] = [
  messages("tiny", "tiny message, 30 B", 19, [tiny]),
  messages("service-100", "few kinds, 100 B", 23, SHORT),
  messages("service-300", "few kinds, 300 B", 29, LONG),
];
