/** Checks that decoded values are packets. socket.io trusts its decoder: an invalid packet would become an uncaught exception. */
import { ownOption } from "moonpack/bytes";
import { invalidPacket } from "./errors.js";
import { type Packet, PacketType } from "./packet.js";

/** A packet that is valid for socket.io. */
export interface CheckedPacket extends Packet {
  data?: unknown;
  id?: number;
}

/** Returns the packet of a decoded message: an object, or an array `[type, nsp, data, id]`. Throws `ERR_SOCKET_IO_PACKET`. */
export function checkedPacket(message: unknown): CheckedPacket {
  if (Array.isArray(message)) {
    if (message.length > 4) throw invalidPacket("a packet is an array of at most 4 elements");
    const [type, nsp, data, id] = message;
    return checked(type, nsp, data, id);
  }
  if (!isObject(message)) throw invalidPacket("a packet must be an object or an array");
  const member = (name: string) => ownOption(message, name);
  return checked(member("type"), member("nsp"), member("data"), member("id"));
}

function checked(type: unknown, nsp: unknown, data: unknown, id: unknown): CheckedPacket {
  if (typeof nsp !== "string" || !nsp.startsWith("/"))
    throw invalidPacket("the namespace must be a string that begins with /");
  if (!isDataOf(type, data)) throw invalidPacket(`invalid data for a packet of type ${shown(type)}`);
  const packet: CheckedPacket = { type: type as number, nsp };
  if (data !== undefined) packet.data = data;
  if (id === undefined) {
    if (type === PacketType.ACK) throw invalidPacket("an acknowledgement must have an id");
    return packet;
  }
  // In browsers socket.io looks up acknowledgements in an object: a string as id could name an inherited property.
  if (!Number.isSafeInteger(id) || (id as number) < 0) throw invalidPacket("the id must be an integer from 0");
  if (type !== PacketType.EVENT && type !== PacketType.ACK)
    throw invalidPacket("only events and acknowledgements have an id");
  packet.id = id as number;
  return packet;
}

function isDataOf(type: unknown, data: unknown): boolean {
  switch (type) {
    case PacketType.CONNECT:
      return data === undefined || isObject(data);
    case PacketType.DISCONNECT:
      return data === undefined;
    case PacketType.EVENT:
      return Array.isArray(data) && isEventName(data[0]);
    case PacketType.ACK:
      return Array.isArray(data);
    case PacketType.CONNECT_ERROR:
      return typeof data === "string" || isObject(data);
    default:
      return false;
  }
}

/** Refuses the same names as socket.io-parser: a peer must not send the events that socket.io emits itself. */
function isEventName(name: unknown): boolean {
  switch (name) {
    case "connect":
    case "connect_error":
    case "disconnect":
    case "disconnecting":
    case "newListener":
    case "removeListener":
      return false;
    default:
      return typeof name === "string" || typeof name === "number";
  }
}

/** Returns true for a decoded map with string keys; false for a Map, binary, a Date or an extension's instance. */
function isObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function shown(type: unknown): string {
  return typeof type === "number" ? String(type) : typeof type;
}
