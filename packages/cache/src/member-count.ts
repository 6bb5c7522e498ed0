/**
 * How many members one JSON object may have where each of them is looked at: far more than any has that Kubernetes stores. A
 * hostile one of megabytes would hold the event loop for seconds (LIMIT-3, SEC-2).
 */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';

const most = 10_000;

export class MemberCount {
  private count = 0;

  next(): void {
    if (++this.count > most) throw new JsonBytesError('an object with too many members');
  }
}
