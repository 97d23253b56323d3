declare module "snappyjs" {
  const snappyjs: {
    compress(raw: Uint8Array): Uint8Array;
    uncompress(packed: Uint8Array): Uint8Array;
  };
  export default snappyjs;
}
