import { describe, expect, it } from 'vitest';
import { withContext } from './kubeconfig-context.ts';

const config = {
  preferences: {},
  'current-context': 'fleet',
  clusters: [{ name: 'fleet', cluster: { server: 'https://host:8443', 'certificate-authority-data': 'Q0E=' } }],
  contexts: [{ name: 'fleet', context: { cluster: 'fleet', user: 'me', namespace: 'team' } }],
  users: [{ name: 'me', user: { token: 't' } }],
};

const url = 'https://host:8443/clusterspaces/member1';

describe('fleet use', () => {
  it('adds a context for the clusterspace with the same user, CA and namespace, and makes it current', () => {
    const changed = withContext(config, 'member1', url);
    expect(changed['current-context']).toBe('fleet-member1');
    expect(changed.contexts?.at(-1)).toEqual({
      name: 'fleet-member1',
      context: { cluster: 'fleet-member1', user: 'me', namespace: 'team' },
    });
    expect(changed.clusters?.at(-1)?.cluster).toEqual({ server: url, 'certificate-authority-data': 'Q0E=' });
    expect(changed).toMatchObject({ users: config.users, preferences: {} });
    expect(changed.contexts?.[0]).toEqual(config.contexts[0]);
  });

  it('used again, from the same or another folder, leaves one context of that name', () => {
    const once = withContext(config, 'member1', url);
    expect(withContext(once, 'member1', url)).toEqual(once);
    const other = withContext(once, 'member2', url.replace('member1', 'member2'));
    expect(withContext(other, 'member1', url).contexts).toHaveLength(3);
  });

  it('names what is missing', () => {
    expect(() => withContext({}, 'member1', url)).toThrow('no current context');
  });
});
