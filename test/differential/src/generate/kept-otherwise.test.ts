import { expect, it } from 'vitest';
import { service } from '../kinds/cluster/network.ts';
import type { Draft } from './draft.ts';
import { tryWhatIsKeptOtherwise } from './kept-otherwise.ts';

const path = '/api/v1/namespaces/n/services/a';

it.each<[string, Partial<Draft>, boolean]>([
  ['a PUT to a status', { verb: 'update', method: 'PUT', path: `${path}/status` }, true],
  ['a PATCH of a status', { verb: 'patch', method: 'PATCH', path: `${path}/status` }, false],
  ['an ExternalName', { body: { spec: { type: 'ExternalName' } } }, false],
  ['one with an address', { body: { spec: { type: 'ExternalName', clusterIP: 'None' } } }, true],
  ['one with a policy', { body: { spec: { type: 'ExternalName', internalTrafficPolicy: 'Local' } } }, true],
  ['a patch to one', { verb: 'patch', body: { spec: { type: 'ExternalName' } } }, true],
  ['a policy of what may be one', { verb: 'apply', body: 'spec: { internalTrafficPolicy: Local }' }, true],
  ['another Service', { body: { spec: { internalTrafficPolicy: 'Local', clusterIP: 'None' } } }, false],
])('%s is only tried: %j', (_, given, isTried) => {
  const draft: Draft = {
    ...{ verb: 'update', method: 'PUT', path, query: {}, headers: {}, kind: service, list: false, intent: 'valid' },
    ...given,
  };
  tryWhatIsKeptOtherwise(draft);
  expect(draft.query).toEqual(isTried ? { dryRun: 'All' } : {});
});
