// Texts to begin with, one of each kind. A test reads them all.

/** A text for the input, and its name. */
export interface Example {
  readonly title: string;
  readonly text: string;
}

const MESSAGE =
  "87 a2 69 64 07 a4 6e 61 6d 65 a3 41 64 61 a4 74 61 67 73 92 a1 61 a1 62 a2 61 74 d7 ff 00 00 07 d0 65 53 f1 00 " +
  "a4 64 61 74 61 c4 04 01 02 03 ff a4 6e 6f 74 65 c0 a5 72 61 74 69 6f cb 3f b9 99 99 99 99 99 9a";

/** The examples. */
export const EXAMPLES: readonly Example[] = [
  {
    title: "JSON",
    text: `{
  "id": 4711,
  "name": "Ada Lovelace",
  "languages": ["English", "Français", "日本語"],
  "born": { "year": 1815, "place": "London" },
  "ratio": 0.5,
  "active": true,
  "big": 9007199254740993
}`,
  },
  { title: "MessagePack", text: MESSAGE },
  { title: "Broken", text: MESSAGE.replace("a4 64 61 74 61 c4", "a4 64 61 74 61 c1") },
  {
    title: "PCK",
    text:
      "UENLAcoCeyJwY2siOjEsInJvb3QiOiJSZWFkaW5nIiwic3RydWN0cyI6eyJSZWFkaW5nIjp7ImZpZWxkcyI6W3sibmFtZSI6InNlbnNvciIsInR5cGUiOiJ1" +
      "dGY4In0seyJuYW1lIjoidmFsaWQiLCJ0eXBlIjoiYm9vbCJ9LHsibmFtZSI6InZhbHVlIiwidHlwZSI6InU4In0seyJuYW1lIjoicGxhY2UiLCJ0eXBlIjp7" +
      "InJlZiI6IlBsYWNlIn19LHsibmFtZSI6InRhZ3MiLCJ0eXBlIjp7ImFycmF5IjoidXRmOCJ9LCJvbWl0IjpbImVtcHR5Il19XX0sIlBsYWNlIjp7ImZpZWxk" +
      "cyI6W3sibmFtZSI6Im5hbWUiLCJ0eXBlIjoidXRmOCJ9LHsibmFtZSI6ImZsb29yIiwidHlwZSI6InU4In1dfX19xfhFPZRsia0UAxUDdC0xAARoYWxsAQZp" +
      "bmRvb3IMAAADdC0yAwRyb29m",
  },
  { title: "Protobuf", text: "CJYBEgpzZW5zb3IgdC0xGhYNAACsQRD9//////////8BGgRoYWxsIgMDjgI=" },
];
