import { expect, it } from 'vitest';
import { fnv32, fnv32a, safeEncoded } from '../../hashes.ts';
import { newRevision } from '../stateful-sets/revisions.ts';
import type { StatefulSet } from '../stateful-sets/stateful-set.ts';
import { canonicalJson } from './canonical-json.ts';
import type { PodTemplate } from './objects.ts';
import { isSameTemplate, templateHash } from './pod-template.ts';

it('hashes as Go does', () => {
  expect([fnv32(Buffer.from('hello')), fnv32a(Buffer.from('hello'))]).toEqual([0xb6fa7167, 0x4f9f2cab]);
  expect(safeEncoded('0123456789')).toBe('456789bcdf');
  expect(canonicalJson({ b: '<&>', a: [{ d: 1, c: null }] })).toBe(
    '{"a":[{"c":null,"d":1}],"b":"\\u003c\\u0026\\u003e"}',
  );
});

it('names the revision of a StatefulSet as kube-controller-manager 1.36.3 did', () => {
  const template: PodTemplate = {
    metadata: { labels: { app: 'db' } },
    spec: {
      containers: [
        {
          image: 'v1',
          imagePullPolicy: 'Always',
          name: 'c',
          ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      nodeName: 'n1',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      tolerations: [{ operator: 'Exists' }],
    },
  };
  const set: StatefulSet = { metadata: { name: 'db' }, spec: { selector: {}, template } };
  expect(newRevision(set, 1, 0).metadata.name).toBe('db-585dd5c479');
});

it('hashes templates as kube-controller-manager 1.36.3 did', () => {
  const main = {
    image: 'nginx:1.27',
    imagePullPolicy: 'IfNotPresent',
    name: 'main',
    ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  };
  const template = (one: object): PodTemplate => ({
    metadata: { labels: { app: 'web' } },
    spec: {
      containers: [{ ...main, ...one }],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    },
  });
  expect(templateHash(template({}), undefined)).toBe('6957f89f66');
  const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1500m', memory: '3Gi' } };
  const readinessProbe = { httpGet: { path: '/', port: 'http', scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10 };
  const probed = { resources, readinessProbe: { ...readinessProbe, successThreshold: 1, failureThreshold: 3 } };
  expect(templateHash(template(probed), 2)).toBe('74957cf874');
});

it('hashes templates by what they are, in letters that make no words', () => {
  const template = (labels: Record<string, string>) => ({
    metadata: { labels },
    spec: { containers: [{ name: 'c' }] },
  });
  expect(templateHash(template({ a: '1' }), undefined)).toMatch(/^[bcdf-hj-np-tv-xz2456789]{6,10}$/);
  expect(templateHash(template({ a: '1' }), 1)).not.toBe(templateHash(template({ a: '1' }), undefined));
  expect(isSameTemplate(template({ a: '1', 'pod-template-hash': 'x' }), template({ a: '1' }))).toBe(true);
  expect(isSameTemplate(template({ a: '1' }), template({ a: '2' }))).toBe(false);
});
