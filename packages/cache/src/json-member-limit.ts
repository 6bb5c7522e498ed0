/**
 * Limits the keys of one JSON object, where each key is examined. No object in Kubernetes has nearly as many; a hostile one of
 * megabytes would block the event loop for seconds (LIMIT-3, SEC-2).
 */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';

const most = 10_000;

export class JsonMemberLimit {
  private count = 0;

  next(): void {
    if (++this.count > most) throw new JsonBytesError('an object with too many members');
  }
}
