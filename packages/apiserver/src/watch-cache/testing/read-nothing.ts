import type { Read } from '../shared-event.ts';

/** For objects that no selector reads. */
export const readNothing: Read = (key, bytes) => ({
  key,
  labels: {},
  names: {},
  fields: {},
  look: async () => {},
  bytes,
});
