import { createRequire } from "node:module";
import { libraryOf } from "@moonpack/protobufjs";

const require = createRequire(import.meta.url);

export const { protobuf, minimal, Long, generate, load } = libraryOf(require);

/** The encoded FileDescriptorProto of a .proto file's text. */
export function descriptorOf(source, name) {
  const descriptor = require("protobufjs/ext/descriptor");
  const { root } = protobuf.parse(source, { keepCase: true });
  root.resolveAll();
  const file = root.toDescriptor("proto3").file.find(({ messageType }) => messageType.length > 0);
  file.name = name;
  qualify(file);
  return descriptor.FileDescriptorProto.encode(file).finish();
}

/** protobuf.js names types as they were written; protoc, with all that is around them. */
function qualify(file) {
  const names = new Set();
  const visit = (messages, enums, scope, act) => {
    for (const each of enums ?? []) names.add(`${scope}.${each.name}`);
    for (const each of messages ?? []) {
      const own = `${scope}.${each.name}`;
      names.add(own);
      act(each, own);
      visit(each.nestedType, each.enumType, own, act);
    }
  };
  const top = file.package ? `.${file.package}` : "";
  visit(file.messageType, file.enumType, top, () => undefined);
  visit(file.messageType, file.enumType, top, (message, own) => {
    for (const field of message.field ?? []) {
      if (!field.typeName || field.typeName.startsWith(".")) continue;
      for (let scope = own; ; scope = scope.slice(0, scope.lastIndexOf("."))) {
        if (names.has(`${scope}.${field.typeName}`)) {
          field.typeName = `${scope}.${field.typeName}`;
          break;
        }
        if (scope === "") throw new Error(`no type ${field.typeName} around ${own}`);
      }
    }
  });
}
