import { expect, it } from 'vitest';
import { binaryPath, cacheFolder, etcd, goArguments, kubernetes, nodeServer } from './binaries.ts';

it('links the version in, so that /version does not lie', () => {
  const flags = goArguments(kubernetes('kubectl', 'older')).join(' ');
  expect(flags).toContain('-X k8s.io/component-base/version.gitVersion=v1.34.4');
  expect(flags).toContain('version.gitMinor=34');
});

it('keeps what differs in version or flags apart, and what does not together', () => {
  const folder = (version: 'newest' | 'older') => binaryPath(kubernetes('kubectl', version), '/c');
  expect(folder('newest')).not.toBe(folder('older'));
  expect(folder('newest')).toBe(binaryPath(kubernetes('kubectl', 'v1.36.3'), '/c'));
  expect(binaryPath(etcd, '/c')).toMatch(/^\/c\/etcd-v3\.6\.4-[0-9a-f]{8}\/etcd$/);
  expect(binaryPath(nodeServer, '/c')).toMatch(/\/node-server$/);
});

it('finds the cache folder in the environment', () => {
  expect(cacheFolder({ FLEET_BED_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe('/b/fleet-bed');
  expect(cacheFolder({})).toMatch(/\/\.cache\/fleet-bed$/);
});
