import { describe, expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { bodyText } from '../testing/body-text.ts';
import { targetOf } from '../testing/targets.ts';
import { warnedOfStores } from './store-warning.ts';

const path = '/apis/search.karmada.io/v1alpha1/resourceregistries';
const registry = (backendStore: object) => ({
  kind: 'ResourceRegistry',
  metadata: { name: 'r' },
  spec: { backendStore },
});
const write = (method: string, url: string, answer: object, status = 200) =>
  warnedOfStores(targetOf(method, url), jsonReply(status, answer));

describe('CACHE-1: backend stores of others are accepted with a warning', () => {
  it.each([
    ['POST', path, 201],
    ['PUT', `${path}/r`, 200],
    ['PATCH', `${path}/r`, 200],
  ])('%s', async (method, url, status) => {
    const answer = registry({ openSearch: { addresses: [] } });
    const reply = await write(method, url, answer, status);
    expect(reply.headers['warning']).toEqual([
      '299 - "spec.backendStore.openSearch is not supported: objects are kept in memory"',
    ]);
    expect(JSON.parse(await bodyText(reply as never))).toEqual(answer);
  });

  it('our own, none at all, reads and other kinds have none', async () => {
    const foreign = registry({ openSearch: {} });
    expect((await write('POST', path, registry({ postgres: {} }), 201)).headers['warning']).toBeUndefined();
    expect((await write('POST', path, { kind: 'ResourceRegistry', spec: {} }, 201)).headers['warning']).toBeUndefined();
    expect((await write('GET', `${path}/r`, foreign)).headers['warning']).toBeUndefined();
    expect((await write('PUT', `${path}/r`, foreign, 409)).headers['warning']).toBeUndefined();
    const other = '/apis/cluster.karmada.io/v1alpha1/clusters/r';
    expect((await write('PUT', other, foreign)).headers['warning']).toBeUndefined();
  });
});
