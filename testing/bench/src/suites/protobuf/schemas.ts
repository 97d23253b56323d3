/** A message type in the text of a schema. */
export interface Schema {
  readonly source: string;
  readonly type: string;
}

/** protobuf.js's own benchmark. */
const SMALL = `syntax = "proto2";
message Test {
  optional string string = 1;
  optional uint32 uint32 = 2;
  optional Inner inner = 3;
  optional float float = 4;
}
message Inner {
  optional int32 int32 = 1;
  optional InnerInner innerInner = 2;
  optional Outer outer = 3;
}
enum Enum { ONE = 0; TWO = 1; THREE = 2; FOUR = 3; FIVE = 4; }
message InnerInner {
  optional int64 long = 1;
  optional Enum enum = 2;
  optional sint32 sint32 = 3;
}
message Outer {
  repeated bool bool = 1 [packed = true];
  optional double double = 2;
}
`;

/** A drawing, as a design tool stores it. */
const LARGE = `syntax = "proto2";
message Layer {
  optional string do_objectID = 1;
  optional string _class = 2;
  optional int32 booleanOperation = 3;
  optional Frame frame = 4;
  optional bool isFixedToViewport = 5;
  optional bool isFlippedHorizontal = 6;
  optional bool isFlippedVertical = 7;
  optional bool isLocked = 8;
  optional bool isVisible = 9;
  optional int32 layerListExpandedType = 10;
  optional int32 resizingConstraint = 11;
  optional int32 resizingType = 12;
  optional double rotation = 13;
  optional bool shouldBreakMaskChain = 14;
  optional bool hasClickThrough = 15;
  optional bool includeInExport = 16;
  optional Style style = 17;
  repeated Layer layers = 18;
  optional bytes _binary = 19;
}
message Frame {
  optional sfixed32 width = 1;
  optional sfixed32 height = 2;
  optional sfixed32 x = 3;
  optional sfixed32 y = 4;
}
message Style {
  optional string _class = 1;
  repeated Fill fills = 2;
}
message Fill {
  optional string _class = 1;
  optional bool isEnabled = 2;
  optional Color color = 3;
}
message Color {
  optional string _class = 1;
  optional float alpha = 2;
  optional float blue = 3;
  optional float green = 4;
  optional float red = 5;
}
`;

/**
 * The schema with a suffix on the names of its types. Each candidate has its own names: functions generated with the same text share
 * V8's feedback on their call sites, so the Writers and Readers of all candidates would meet there.
 */
export function schemaOf(size: "small" | "large", suffix: string): Schema {
  const source = size === "small" ? SMALL : LARGE;
  const types = /\b(Test|Inner|InnerInner|Enum|Outer|Layer|Frame|Style|Fill|Color)\b/g;
  return { source: source.replace(types, `$1${suffix}`), type: `${size === "small" ? "Test" : "Layer"}${suffix}` };
}
