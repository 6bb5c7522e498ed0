import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Compacts a member's etcd to now: every version before the last write is gone. */
export async function forgetHistory(folder: string): Promise<void> {
  // any key will do: each answer tells the revision
  const { header } = await ask<{ header: { revision: string } }>(folder, '/v3/kv/range', { key: 'AA==' });
  await ask(folder, '/v3/kv/compaction', { revision: header.revision, physical: true });
}

/** etcd answers JSON on the socket where it speaks gRPC. */
async function ask<T>(folder: string, path: string, body: object): Promise<T> {
  const asking = request({ socketPath: join(folder, 'etcd:2379'), path, method: 'POST' });
  asking.end(JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`etcd ${path}: ${response.statusCode} ${answer}`);
  return JSON.parse(answer) as T;
}
