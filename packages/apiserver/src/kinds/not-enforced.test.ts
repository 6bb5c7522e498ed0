import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { builtInKinds } from './built-in-kinds.ts';

const admission = '/apis/admissionregistration.k8s.io';
const namespaced = '/api/v1/namespaces/default';
const paths = [
  ...[
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ].flatMap((resource) => versionsOf(resource).map((version) => `${admission}/${version}/${resource}`)),
  `${namespaced}/resourcequotas`,
  `${namespaced}/limitranges`,
];

function versionsOf(resource: string): string[] {
  return builtInKinds().flatMap((kind) => (kind.resource === resource ? [kind.version] : []));
}

it('CP-1: who writes what is not enforced is warned', async () => {
  const { ask } = await openServer();
  expect(paths.length).toBeGreaterThanOrEqual(8);
  for (const path of paths) {
    const name = `x-${paths.indexOf(path)}`;
    const resource = path.split('/').at(-1);
    const warning = [
      expect.stringMatching(new RegExp(`^299 - "${resource} are stored, but not enforced by this API server: no .+"$`)),
    ];
    const made = await ask('POST', path, { metadata: { name } });
    expect(made, path).toMatchObject({ status: 201, headers: { warning } });
    const updated = await ask('PUT', `${path}/${name}`, {
      ...made.body,
      metadata: { ...made.body.metadata, labels: { a: 'b' } },
    });
    expect(updated, path).toMatchObject({ status: 200, headers: { warning } });
    const patched = await ask(
      'PATCH',
      `${path}/${name}`,
      { metadata: { labels: { a: 'c' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(patched, path).toMatchObject({ status: 200, headers: { warning } });
    for (const method of ['GET', 'DELETE'])
      expect((await ask(method, `${path}/${name}`)).headers).not.toHaveProperty('warning');
  }
});

it('what is enforced gives no warning', async () => {
  const { ask } = await openServer();
  expect((await ask('POST', `${namespaced}/configmaps`, { metadata: { name: 'x' } })).headers).not.toHaveProperty(
    'warning',
  );
});
