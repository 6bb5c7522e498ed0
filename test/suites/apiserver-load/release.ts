/** Releases what finalizers of generated objects hold, and the namespaces that wait for it. */

import { until } from '@fleet/bed/until.ts';
import type { Connection } from '@fleet/differential/connection.ts';
import { allKinds } from '@fleet/differential/kinds/all.ts';
import { collectionPath } from '@fleet/differential/kinds/kind.ts';

interface Metadata {
  name: string;
  namespace?: string;
  deletionTimestamp?: string;
}

export async function releaseAll(connection: Connection): Promise<void> {
  const isGoing = async (path: string): Promise<Metadata[]> => {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { body } = await connection.send({ method: 'GET', path, query: [], headers: { accept } });
    const { items } = JSON.parse(body.toString()) as { items: { metadata: Metadata }[] | null };
    return (items ?? [])
      .map(({ metadata }) => metadata)
      .filter(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  };
  for (const kind of allKinds) {
    for (const { name, namespace } of await isGoing(collectionPath(kind, undefined))) {
      await connection.send({
        method: 'PATCH',
        path: `${collectionPath(kind, namespace)}/${name}`,
        query: [],
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"metadata":{"finalizers":null}}',
      });
    }
  }
  const namespaces = '/api/v1/namespaces';
  // Those that were held for long are looked at every eight seconds.
  await until('no namespace is going', async () => (await isGoing(namespaces)).length === 0, { timeout: 60_000 });
}
