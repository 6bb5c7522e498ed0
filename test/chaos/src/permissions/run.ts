/** One model of permissions, changed over time, and products that are asked all the while: each is judged on its own. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { endpointOfKubeconfig } from '@fleet/differential/endpoint.ts';
import { Random } from '@fleet/differential/random.ts';
import { authoritiesOf, changePermissions, grantAll } from './changes.ts';
import { Judge } from './judge.ts';
import { type Cluster, clusters, Model, users } from './model.ts';
import { Requests } from './requests.ts';
import { keepWatching } from './watches.ts';

export interface PermissionsOptions {
  readonly controlPlane: Member;
  readonly members: Readonly<Record<Cluster, Member>>;
  readonly products: Readonly<Record<string, Product>>;
  readonly seed: number | string;
  readonly seconds: number;
  /** Asked once these are over: as long as not, it goes on, for three times as long at most. */
  readonly isEnough: (judges: Readonly<Record<string, Judge>>) => boolean;
  readonly log?: (what: string) => void;
}

const configMaps = '/api/v1/namespaces/permissions/configmaps';

/** What is in the members before anything is asked. */
export async function layObjects(members: PermissionsOptions['members']): Promise<void> {
  for (const cluster of clusters) {
    const { api } = members[cluster];
    await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'permissions' } } });
    for (const name of [`only-${cluster}`, 'both', 'tick'])
      await api.object(configMaps, { method: 'POST', body: { metadata: { name }, data: { n: '0' } } });
  }
}

/** Something happens in every member all the time, so that a watch that should be silent shows if it is not. */
async function tick(members: PermissionsOptions['members'], signal: AbortSignal): Promise<void> {
  for (let n = 1; !signal.aborted; n++) {
    await Promise.all(
      clusters.map((cluster) =>
        members[cluster].api.object(`${configMaps}/tick`, {
          method: 'PATCH',
          contentType: 'application/merge-patch+json',
          body: { data: { n: String(n) } },
        }),
      ),
    );
    await pause(400, undefined, { signal }).catch(() => {});
  }
}

async function enough(seconds: number, isEnough: () => boolean): Promise<void> {
  await pause(seconds * 1_000);
  await until('enough was seen', isEnough, { timeout: 2 * seconds * 1_000 }).catch(() => {});
}

/** By product, what its answers were held against. */
export async function runPermissions(options: PermissionsOptions): Promise<Record<string, Judge>> {
  const { members, products, seed, seconds, log = () => {} } = options;
  const authorities = authoritiesOf(options.controlPlane, members);
  await layObjects(members);
  await grantAll(authorities);
  const model = new Model();
  const started = performance.now();
  const judges: Record<string, Judge> = {};
  const over = new AbortController();
  const done = over.signal;
  await using connections = new AsyncDisposableStack();
  const asking: Promise<void>[] = [];
  for (const [name, product] of Object.entries(products)) {
    const judge = new Judge(model);
    judges[name] = judge;
    for (const user of users) {
      const endpoint = await endpointOfKubeconfig(await product.userKubeconfig(user));
      const random = (part: string) => new Random(`${seed}/${part}/${user}`);
      const requests = new Requests(user, connections.use(new Connection(endpoint)), judge, random('requests'));
      asking.push(requests.run(done));
      const comeAndGo = user === 'una';
      const watches = { user, endpoint, judge, random: random('watches'), comeAndGo, version: () => requests.version };
      asking.push(keepWatching(watches, done));
    }
  }
  const logTimed = (what: string) => log(`${((performance.now() - started) / 1_000).toFixed(1)} s: ${what}`);
  const working = [...asking, tick(members, done), changePermissions(model, authorities, seed, done, logTimed)];
  const ending = enough(seconds, () => options.isEnough(judges)).then(() => over.abort());
  await Promise.all([...working, ending]);
  return judges;
}
