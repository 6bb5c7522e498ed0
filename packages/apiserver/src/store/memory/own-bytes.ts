/** Copies a view: it would keep the whole underlying memory alive, such as the pool that small Buffers share. */
export const ownBytes = (value: Uint8Array): Uint8Array =>
  value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
