/** The longest URL: versions of several hundred clusters fit (RV-7), and HTTP/2 carries no longer one. */

import { uriTooLong } from '@fleet/kube/status.ts';
import type { Handler } from '../http/message.ts';

const longest = 64 * 1024;

/** Before any work is done (IMP-4). */
export const withUrlLimit =
  (handler: Handler): Handler =>
  async (incoming) => {
    if (incoming.url.length > longest) throw uriTooLong(longest);
    return handler(incoming);
  };
