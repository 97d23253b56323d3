// Invalid requests of HTTP, and requests whose bodies cannot be read or whose answers the server lacks.

/** Bodies of JSON: some are refused, some can be read but not sent again by everyone. */
const JSON_BODIES = [
  '"\\ud800"',
  '{"name":"\\udfff","\\ud800":1}',
  `${"[".repeat(512)}${"]".repeat(512)}`,
  `${'{"a":'.repeat(511)}1${"}".repeat(511)}`,
  "[".repeat(9_000),
  '{"__proto__":{"a":1},"constructor":null,"toJSON":1}',
  '{"a":1,"a":2}',
  "1e999",
  "9".repeat(400),
  "null",
  "{",
  "",
].map((body) => Buffer.from(body));

/** Bodies of MessagePack. */
export const MSGPACK_BODIES = [
  [0xc1],
  [0xc0],
  [0x81, 0xa1],
  [0xdd, 0xff, 0xff, 0xff, 0xff],
  [0xa2, 0xc3, 0x28], // not UTF-8
  [0xd4, 0x7f, 0x00], // an unknown extension
  [0xd7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], // a timestamp that is not valid
  [0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], // NaN, which JSON does not have
  [0x81, 0xc0, 0xc0],
  Buffer.concat([Buffer.alloc(511, 0x91), Buffer.of(0xc0)]),
  Buffer.alloc(9_000, 0x91),
].map((body) => Buffer.from(body));

const JSON_TYPE = "application/json";
const MSGPACK_TYPE = "application/vnd.msgpack";

/** Targets that a URL cannot be made of, or that mean something else. */
const TARGETS = ["//", "//[", "/%", "/%00", "*", "http://[/", "/?%ff=%", "/../../x"];

/** For a connection of HTTP, requests to the same target that are not valid. Nothing for other protocols. */
export function badRequests(seed) {
  const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(seed.toString("latin1")) ?? [];
  if (method === undefined) return [];
  const requests = [];
  const add = (line, headers, body = Buffer.alloc(0)) =>
    requests.push(
      Buffer.concat([Buffer.from(`${line}\r\n${["Host: localhost", ...headers].join("\r\n")}\r\n\r\n`), body]),
    );

  for (const other of TARGETS) add(`${method} ${other} HTTP/1.1`, []);
  for (const word of ["GET", "HEAD", "OPTIONS", "DELETE", "TRACE", "QUERY"]) add(`${word} ${target} HTTP/1.1`, []);
  add("CONNECT localhost:1 HTTP/1.1", []);
  for (const header of [
    "Upgrade: something\r\nConnection: Upgrade",
    "Upgrade: websocket\r\nConnection: Upgrade", // without a key
    "Expect: 100-continue",
    "Expect: something",
    "X-Request-Id: \x80\xff\tx",
    "traceparent: 00-zz-zz-zz\r\ntracestate: =,=,=",
    "Accept: ;;q=,*/*;q=9",
    "Content-Type: ;\r\nContent-Length: 0",
    "Cookie: connect.sid=s%3A%ff; =; a",
  ])
    add(`${method} ${target} HTTP/1.1`, [header]);

  const sent = method === "GET" || method === "HEAD" ? "POST" : method;
  const line = `${sent} ${target} HTTP/1.1`;
  for (const [type, bodies] of [
    [JSON_TYPE, JSON_BODIES],
    [MSGPACK_TYPE, MSGPACK_BODIES],
  ])
    for (const body of bodies)
      for (const accept of [JSON_TYPE, MSGPACK_TYPE, "text/plain"])
        add(line, [`Content-Type: ${type}`, `Accept: ${accept}`, `Content-Length: ${body.length}`], body);
  const chunked = ["Transfer-Encoding: chunked", `Content-Type: ${MSGPACK_TYPE}`];
  for (const body of ["5\r\n\x91", "zz\r\n", "1\r\n\xc1\r\n0\r\n\r\n", "ffffffffff\r\n"])
    add(line, chunked, Buffer.from(body, "latin1"));
  add(line, [...chunked, "Content-Encoding: gzip"], Buffer.from("1\r\nx\r\n0\r\n\r\n"));
  return requests;
}
