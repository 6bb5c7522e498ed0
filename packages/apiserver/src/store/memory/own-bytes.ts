/** A view would keep all of the memory that it looks at, such as the pool that small Buffers share. */
export const ownBytes = (value: Uint8Array): Uint8Array =>
  value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
