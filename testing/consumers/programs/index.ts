import { DecodeError, decode, EncodeError, Encoder, type ErrorCode, Extensions, encode, encodeInto } from "moonpack";

interface User {
  readonly id: number;
  readonly name: string;
}
const bytes: Uint8Array<ArrayBuffer> = encode({ id: 7, name: "Zoë" });
const user = decode<User>(bytes);
console.log(user.id, user.name, bytes.length); // 7 Zoë 15
console.log(encodeInto([1, 2], new Uint8Array(8), 2)); // 5

try {
  decode(bytes.subarray(0, 5));
} catch (error) {
  const code: ErrorCode | undefined = error instanceof DecodeError ? error.code : undefined;
  console.log(code); // ERR_TRUNCATED
}
try {
  encode([() => {}]);
} catch (error) {
  console.log(error instanceof EncodeError ? error.path : error); // $[0]
}

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}
const extensions = new Extensions().register({
  type: 1,
  class: Point,
  encode: (point) => new Uint8Array([point.x]),
  decode: (data) => new Point(data[0] ?? 0),
});
console.log(new Encoder({ extensions }).encode(new Point(9)).join(" ")); // 212 1 9
