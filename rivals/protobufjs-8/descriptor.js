/** The encoded FileDescriptorProto of a .proto file's text: by protobuf.js and its extension, as protoc would write it. */
export function encodeDescriptor(protobuf, descriptor, source, name) {
  const { root } = protobuf.parse(source, { keepCase: true });
  root.resolveAll();
  const file = root.toDescriptor("proto3").file.find(({ messageType }) => messageType.length > 0);
  file.name = name;
  for (const message of file.messageType) arrange(message);
  qualify(file);
  return descriptor.FileDescriptorProto.encode(file).finish();
}

/** What protoc writes otherwise, and others insist on. */
function arrange(message) {
  for (const each of message.nestedType ?? []) arrange(each);
  nameEntries(message);
  orderOneofs(message);
}

/** The types of maps' entries: MyMapEntry for my_map. */
function nameEntries(message) {
  for (const field of message.field ?? []) {
    const entry = message.nestedType?.find(({ name, options }) => options?.mapEntry && name === field.typeName);
    if (entry === undefined) continue;
    const name = field.name.replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());
    entry.name = field.typeName = `${name}Entry`;
  }
}

/** The oneofs that stand for optional fields come last. */
function orderOneofs(message) {
  const inOneof = (message.field ?? []).filter((field) => Object.hasOwn(field, "oneofIndex"));
  const isOptional = (index) => inOneof.some((field) => field.proto3Optional && field.oneofIndex === index);
  const order = [...(message.oneofDecl ?? []).keys()].sort((a, b) => isOptional(a) - isOptional(b));
  message.oneofDecl = order.map((index) => message.oneofDecl[index]);
  for (const field of inOneof) field.oneofIndex = order.indexOf(field.oneofIndex);
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
