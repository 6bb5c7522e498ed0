import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const namesOf = ({ items = [] }: { items?: unknown[] }) =>
  items.map((item) => (item as { metadata: { name: string } }).metadata.name);

it('COMPAT-4: nodes and pods are selected by their own fields', async () => {
  const { ask } = await openServer();
  await ask('POST', '/api/v1/nodes', { metadata: { name: 'open' } });
  await ask('POST', '/api/v1/nodes', { metadata: { name: 'shut' }, spec: { unschedulable: true } });
  const nodes = async (selector: string) =>
    namesOf((await ask('GET', `/api/v1/nodes?fieldSelector=${encodeURIComponent(selector)}`)).body);
  expect(await nodes('spec.unschedulable=false')).toEqual(['open']);
  expect(await nodes('spec.unschedulable!=false')).toEqual(['shut']);
  const spec = { containers: [{ name: 'c', image: 'c' }], nodeName: 'open' };
  await ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec });
  const pods = async (selector: string) =>
    namesOf((await ask('GET', `/api/v1/pods?fieldSelector=${encodeURIComponent(selector)}`)).body);
  expect(await pods('spec.nodeName=open,spec.hostNetwork=false')).toEqual(['a']);
  expect(await pods('spec.nodeName=shut')).toEqual([]);
});

it('COMPAT-4: a field that is none of the kind’s is refused', async () => {
  const { ask } = await openServer();
  const answer = await ask('GET', '/api/v1/pods?fieldSelector=spec.nothing%3Da');
  expect(answer).toMatchObject({ status: 400, body: { reason: 'BadRequest' } });
});
