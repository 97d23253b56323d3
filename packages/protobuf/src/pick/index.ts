/**
 * Reads some fields of Protobuf messages and skips the rest.
 *
 * @module
 */
export { FieldPicker, type FieldPickOptions, type RestOf } from "./picker.js";
export type {
  FieldKind,
  FieldPath,
  FieldPaths,
  FieldValue,
  Int32Kind,
  Int64Kind,
  KindValue,
  ListItem,
  PickedFields,
  ReflectedType,
} from "./types.js";
