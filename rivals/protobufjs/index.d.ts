/** A version of protobuf.js, `Protobuf`, with what belongs to it. */
export interface Library<Protobuf> {
  /** The library with its parser and reflection. */
  readonly protobuf: Protobuf;
  /** The library that static code stands on. */
  readonly minimal: Protobuf;
  /** The Long that it finds. */
  readonly Long: typeof import("long").default;
  /** Static code for a .proto file, as CommonJS. */
  generate(file: string): string;
  /** Runs static code with the library that it was generated for; answers its root. */
  load(code: string): { [name: string]: unknown };
}

export function libraryOf<Protobuf>(require: NodeJS.Require): Library<Protobuf>;
