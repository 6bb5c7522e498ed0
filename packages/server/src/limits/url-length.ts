/** Limits the length of URLs: resource versions of several hundred clusters fit (RV-7), and HTTP/2 carries no longer ones. */

import { uriTooLong } from '@fleet/kube/status.ts';
import type { Handler } from '../http/message.ts';

const longest = 64 * 1024;

/** Checked before any other work (IMP-4). */
export const withUrlLimit =
  (handler: Handler): Handler =>
  async (incoming) => {
    if (incoming.url.length > longest) throw uriTooLong(longest);
    return handler(incoming);
  };
