import type { Read } from '../shared-event.ts';

/** Of an object that no selector looks at. */
export const readNothing: Read = (key, bytes) => ({
  key,
  labels: {},
  names: {},
  fields: {},
  look: async () => {},
  bytes,
});
