/** Reads all objects of one resource of a member, page by page. It is bounded, and yields to the event loop (SEC-2). */

import { errorOf } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { splitList } from '@fleet/kube/list-splitter.ts';

/** The limits of one reading. Kubernetes supports 5,000 nodes and 150,000 pods, of 10 KiB each with managed fields. */
export interface ReadLimits {
  pages: number;
  objects: number;
  bytes: number;
}

const defaultLimits: ReadLimits = { pages: 2_000, objects: 1_000_000, bytes: 4 * 1024 ** 3 };
const pageSize = 500;
/** In milliseconds. With 10,000 pods and slices of 8 ms, one GET in a hundred from the cache waited 20 ms and more. */
const background = 2;
/** In characters: kube-apiserver's tokens have a version and a key, less than 1 KiB. */
const longestToken = 8 * 1024;

export async function* memberObjects(
  upstream: Upstream,
  path: string,
  signal: AbortSignal,
  limits = defaultLimits,
): AsyncGenerator<Buffer, void, void> {
  const left = { ...limits };
  const take = (what: keyof ReadLimits, count: number) => {
    left[what] -= count;
    if (left[what] < 0) throw new JsonBytesError(`${path} has more than ${limits[what]} ${what}`);
  };
  const pace = new Pace(background);
  for (let token: string | undefined = ''; token !== undefined; ) {
    take('pages', 1);
    const query = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const reply = await upstream.call({
      method: 'GET',
      path: `${path}?limit=${pageSize}${query}`,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'fleet' },
      signal,
    });
    if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
    token = undefined;
    const body = counted(reply.body, (bytes) => take('bytes', bytes));
    for await (const part of splitList(body, reply.body.memory)) {
      if (part.is === 'end') token = part.envelope.metadata?.continue || undefined;
      if (part.is !== 'items') continue;
      take('objects', part.items.length);
      for (const item of part.items) {
        yield item;
        if (!pace.isDue) continue;
        await pace.rest();
        signal.throwIfAborted();
      }
    }
    if (token && token.length > longestToken) throw new JsonBytesError(`${path} has a continue token that is too long`);
  }
}

async function* counted(body: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    count(chunk.length);
    yield chunk;
  }
}
