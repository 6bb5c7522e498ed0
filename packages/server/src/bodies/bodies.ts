/** Reads and changes request bodies: small ones at once, large ones on a worker thread, as they would block the event loop (LIMIT-3). */

import { isYaml } from '@fleet/kube/request-body.ts';
import type { BodyReading } from '../target/body-reading.ts';
import type { ClusterName, ParsedTarget, RawBody, TargetBody } from '../target/target.ts';
import { BodyThreads } from './body-threads.ts';
import { bodyWork, type Stripped } from './body-work.ts';

export interface Bodies {
  read(parsed: ParsedTarget, raw: RawBody, signal: AbortSignal): Promise<BodyReading>;
  strip(body: TargetBody, cluster: ClusterName, signal: AbortSignal): Promise<Stripped>;
}

/** In bytes. The slowest bodies of this size take some 10 ms; YAML costs much more per byte than JSON or protobuf. */
const mostAtOnce = { yaml: 8 * 1024, other: 64 * 1024 };

export class OffLoopBodies implements Bodies, AsyncDisposable {
  private readonly threads = new BodyThreads();

  async read({ ask, place, view }: ParsedTarget, raw: RawBody, signal: AbortSignal): Promise<BodyReading> {
    const isSmall = raw.bytes.length <= (isYaml(raw.contentType) ? mostAtOnce.yaml : mostAtOnce.other);
    return isSmall
      ? bodyWork.read({ ask, place, view }, raw)
      : this.threads.run('read', [{ ask, place, view }, raw], signal);
  }

  async strip(body: TargetBody, cluster: ClusterName, signal: AbortSignal): Promise<Stripped> {
    const size = body.read?.json.length ?? 0;
    return size <= mostAtOnce.other
      ? bodyWork.strip(body, cluster)
      : this.threads.run('strip', [body, cluster], signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.threads[Symbol.asyncDispose]();
  }
}
