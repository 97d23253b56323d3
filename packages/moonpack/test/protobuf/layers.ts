/** Documents of a drawing program: random trees of layers, the code that writes and reads them by hand, and their bytes by the model. */
import type { Reader, Writer } from "moonpack/protobuf";
import { concat } from "../harness/hex.ts";
import { delimited, field, model, type Random, randomBytes, randomNumber, randomText } from "./model.ts";

export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export interface Fill {
  readonly enabled: boolean;
  readonly kind: number;
  readonly color: Color;
}

export interface Layer {
  readonly id: string;
  readonly class: string;
  readonly name: string;
  readonly frame: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly flags: readonly boolean[];
  readonly style: { readonly fills: readonly Fill[]; readonly opacity: number };
  readonly layers: readonly Layer[];
  readonly image: Uint8Array;
  readonly rotation: number;
  readonly modified: number;
  readonly points: readonly number[];
}

// Not 0, which proto3 leaves out, and what floats hold exactly.
const channel = (random: Random): number => (1 + random(255)) / 256;
const place = (random: Random): number => randomNumber(random) + 0.125;
const CLASSES = ["page", "artboard", "group", "rectangle", "text", "bitmap"];

export function randomLayer(random: Random, depth: number): Layer {
  const fill = (): Fill => {
    const color = { red: channel(random), green: channel(random), blue: channel(random), alpha: channel(random) };
    return { enabled: true, kind: 1 + random(1000), color };
  };
  const list = <Item>(below: number, make: () => Item): Item[] => Array.from({ length: random(below) }, make);
  return {
    id: Array.from({ length: 4 }, () => random(2 ** 32).toString(16)).join("-"),
    class: CLASSES[random(CLASSES.length)]!,
    name: `_${randomText(random)}`,
    frame: { x: place(random), y: place(random), width: place(random), height: place(random) },
    flags: [random(2) === 0, ...list(20, () => random(2) === 0)],
    style: { fills: list(4, fill), opacity: channel(random) },
    layers: depth === 0 ? [] : list(5, () => randomLayer(random, random(depth))),
    image: randomBytes(random, 1 + (random(10) === 0 ? random(3000) : random(40))),
    rotation: 1 + random(360) * (random(2) === 0 ? 1 : -2),
    modified: 1 + random(2 ** 32) * 1024,
    points: [1, ...list(30, () => random(2 ** 32) - 2 ** 31)],
  };
}

/** As the code that pbjs writes: lists that are packed, fields in order. */
export function writeLayer(writer: Writer, layer: Layer): Writer {
  const { frame, style } = layer;
  writer.uint32(10).string(layer.id).uint32(18).string(layer.class).uint32(26).string(layer.name);
  writer.uint32(34).fork().uint32(9).double(frame.x).uint32(17).double(frame.y);
  writer.uint32(25).double(frame.width).uint32(33).double(frame.height).ldelim();
  writer.uint32(42).bools(layer.flags);
  writer.uint32(50).fork();
  for (const { enabled, kind, color } of style.fills) {
    writer.uint32(10).fork().uint32(8).bool(enabled).uint32(16).uint32(kind);
    writer.uint32(26).fork().uint32(13).float(color.red).uint32(21).float(color.green);
    writer.uint32(29).float(color.blue).uint32(37).float(color.alpha).ldelim().ldelim();
  }
  writer.uint32(17).double(style.opacity).ldelim();
  for (const inner of layer.layers) writeLayer(writer.uint32(58).fork(), inner).ldelim();
  writer.uint32(66).bytes(layer.image).uint32(72).sint32(layer.rotation);
  return writer.uint32(80).int64(layer.modified).uint32(90).int32s(layer.points);
}

/** The same by the model. */
export function layerBytes(layer: Layer): Uint8Array<ArrayBuffer> {
  const { frame, style, layers } = layer;
  const numbers = (values: readonly number[], wireType: number, bytes: (value: number) => Uint8Array): Uint8Array =>
    concat(...values.map((value, i) => field(i + 1, wireType, bytes(value))));
  const fill = ({ enabled, kind, color: { red, green, blue, alpha } }: Fill): Uint8Array =>
    concat(
      field(1, 0, model.bool(enabled)),
      field(2, 0, model.uint32(kind)),
      field(3, 2, delimited(numbers([red, green, blue, alpha], 5, model.float))),
    );
  return concat(
    field(1, 2, model.string(layer.id)),
    field(2, 2, model.string(layer.class)),
    field(3, 2, model.string(layer.name)),
    field(4, 2, delimited(numbers([frame.x, frame.y, frame.width, frame.height], 1, model.double))),
    field(5, 2, delimited(concat(...layer.flags.map(model.bool)))),
    field(
      6,
      2,
      delimited(
        concat(
          ...style.fills.map((one) => field(1, 2, delimited(fill(one)))),
          field(2, 1, model.double(style.opacity)),
        ),
      ),
    ),
    ...layers.map((inner) => field(7, 2, delimited(layerBytes(inner)))),
    field(8, 2, model.bytes(layer.image)),
    field(9, 0, model.sint32(layer.rotation)),
    field(10, 0, model.int64(layer.modified)),
    field(11, 2, delimited(concat(...layer.points.map(model.int32)))),
  );
}

/** Calls `take` for every field up to `end` bytes from here. */
function fields(reader: Reader, length: number, take: (tag: number) => void): void {
  const { len } = reader;
  reader.len = reader.pos + length;
  while (reader.pos < reader.len) take(reader.tag());
  reader.len = len;
}

export function readLayer(reader: Reader, length: number): Layer {
  const [frame, fills, layers, points, flags]: [number[], Fill[], Layer[], number[], boolean[]] = [[], [], [], [], []];
  let [id, kind, name, opacity, rotation, modified] = ["", "", "", 0, 0, 0];
  let image = new Uint8Array(0);
  const color = (): Color => {
    const parts: number[] = [];
    fields(reader, reader.size(), () => parts.push(reader.float()));
    const [red, green, blue, alpha] = parts;
    return { red: red!, green: green!, blue: blue!, alpha: alpha! };
  };
  const fill = (): Fill => {
    let one: Fill = { enabled: false, kind: 0, color: { red: 0, green: 0, blue: 0, alpha: 0 } };
    fields(reader, reader.size(), (tag) => {
      if (tag === 8) one = { ...one, enabled: reader.bool() };
      else if (tag === 16) one = { ...one, kind: reader.uint32() };
      else one = { ...one, color: color() };
    });
    return one;
  };
  fields(reader, length, (tag) => {
    if (tag === 10) id = reader.string();
    else if (tag === 18) kind = reader.string();
    else if (tag === 26) name = reader.stringVerify();
    else if (tag === 34) fields(reader, reader.size(), () => frame.push(reader.double()));
    else if (tag === 42) reader.bools(flags);
    else if (tag === 50)
      fields(reader, reader.size(), (inner) => {
        if (inner === 10) fills.push(fill());
        else opacity = reader.double();
      });
    else if (tag === 58) layers.push(readLayer(reader, reader.size()));
    else if (tag === 66) image = Uint8Array.from(reader.bytes());
    else if (tag === 72) rotation = reader.sint32();
    else if (tag === 80) modified = Number(reader.int64());
    else if (tag === 90) reader.int32s(points);
    else reader.skipType(tag & 7);
  });
  const [x, y, width, height] = frame;
  return {
    id,
    class: kind,
    name,
    frame: { x: x!, y: y!, width: width!, height: height! },
    flags,
    style: { fills, opacity },
    layers,
    image,
    rotation,
    modified,
    points,
  };
}
