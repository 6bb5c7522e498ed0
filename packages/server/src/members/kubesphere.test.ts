import { expect, it } from 'vitest';
import {
  type Cluster,
  connectionTypeAnnotation,
  kubesphereEndpointAnnotation,
  kubesphereTokenAnnotation,
} from './cluster.ts';
import { passesToken } from './kubesphere.ts';

const passes = (allowed: string, type: string, endpoint?: string) => {
  const annotations = {
    [kubesphereTokenAnnotation]: allowed,
    [connectionTypeAnnotation]: type,
    ...(endpoint ? { [kubesphereEndpointAnnotation]: endpoint } : {}),
  };
  return passesToken({ metadata: { name: 'm1', annotations }, spec: { syncMode: 'Push' } } satisfies Cluster);
};

it('KS-3: the client’s token is passed on only where the Cluster allows it', () => {
  expect(passes('true', 'direct', 'http://ks-apiserver')).toBe(true);
  expect(passes('false', 'direct', 'https://ks-apiserver')).toBe(false);
});

it('KS-3: through an agent it is passed on inside TLS alone: to an https endpoint, or the service proxy', () => {
  expect(passes('true', 'proxy', 'https://ks-apiserver')).toBe(true);
  expect(passes('true', 'proxy')).toBe(true);
  expect(passes('true', 'proxy', 'HTTP://ks-apiserver')).toBe(false);
});
