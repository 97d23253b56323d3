/** Reads the number at `at`. `token` is its first byte, ca to d3. 64-bit integers are rounded unless `useBigInt64`. */
export function numberAt(view: DataView, token: number, at: number, useBigInt64: boolean): number | bigint {
  switch (token) {
    case 0xca:
      return view.getFloat32(at);
    case 0xcb:
      return view.getFloat64(at);
    case 0xcc:
      return view.getUint8(at);
    case 0xcd:
      return view.getUint16(at);
    case 0xce:
      return view.getUint32(at);
    case 0xcf:
      if (useBigInt64) return view.getBigUint64(at);
      return view.getUint32(at) * 0x100000000 + view.getUint32(at + 4);
    case 0xd0:
      return view.getInt8(at);
    case 0xd1:
      return view.getInt16(at);
    case 0xd2:
      return view.getInt32(at);
    default:
      if (useBigInt64) return view.getBigInt64(at);
      return view.getInt32(at) * 0x100000000 + view.getUint32(at + 4);
  }
}
