/** Builds the shop that runs in every cluster of a demo, with an error in two of them. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

/** One object and where it is created. */
export interface ShopObject {
  collection: string;
  object: KubeObject & Record<string, unknown>;
}

export const shop = 'shop';
const platform = 'platform';
const registry = 'registry.example.com/shop';

export const cartVersions = { current: '2.4.1', outdated: '2.3.0' } as const;

/** Something to find: a database that cannot start, and a version that was not rolled out. */
export const brokenDatabase = 'tokyo';
export const outdatedCart = 'virginia';

interface Pods {
  app: string;
  image: string;
  port: number;
  namespace?: string;
  env?: Record<string, string>;
  annotations?: Record<string, string>;
}

const labels = (app: string) => ({ app, 'app.kubernetes.io/part-of': shop });

const named = (apiVersion: string, kind: string, name: string, namespace: string | undefined) => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}), labels: labels(name) },
});

const template = ({ app, image, port, env = {}, annotations }: Pods) => ({
  metadata: { labels: labels(app), ...(annotations ? { annotations } : {}) },
  spec: {
    containers: [
      {
        name: app,
        image,
        ports: [{ containerPort: port }],
        env: Object.entries(env).map(([name, value]) => ({ name, value })),
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
      },
    ],
  },
});

const workload = (kind: 'Deployment' | 'StatefulSet' | 'DaemonSet', pods: Pods, spec: object): ShopObject => ({
  collection: `/apis/apps/v1/namespaces/${pods.namespace ?? shop}/${kind.toLowerCase()}s`,
  object: {
    ...named('apps/v1', kind, pods.app, pods.namespace ?? shop),
    spec: { ...spec, selector: { matchLabels: { app: pods.app } }, template: template(pods) },
  },
});

const service = (app: string, port: number, spec: object = {}): ShopObject => ({
  collection: `/api/v1/namespaces/${shop}/services`,
  object: { ...named('v1', 'Service', app, shop), spec: { selector: { app }, ports: [{ port }], ...spec } },
});

const namespace = (name: string): ShopObject => ({
  collection: '/api/v1/namespaces',
  object: named('v1', 'Namespace', name, undefined),
});

const settings = (region: string): ShopObject => ({
  collection: `/api/v1/namespaces/${shop}/configmaps`,
  object: { ...named('v1', 'ConfigMap', 'settings', shop), data: { region, currency: currencyOf(region) } },
});

const currencyOf = (region: string): string =>
  region.startsWith('eu') ? 'EUR' : region === 'ap-northeast-1' ? 'JPY' : 'USD';

const report: ShopObject = {
  collection: `/apis/batch/v1/namespaces/${shop}/cronjobs`,
  object: {
    ...named('batch/v1', 'CronJob', 'nightly-report', shop),
    spec: {
      schedule: '0 2 * * *',
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'OnFailure',
              containers: [{ name: 'report', image: `${registry}/report:1.0.4`, args: ['--day=yesterday'] }],
            },
          },
        },
      },
    },
  },
};

/** What runs in one cluster: namespaces first. */
export function shopOf({ name, region }: { name: string; region: string }): ShopObject[] {
  const cart = name === outdatedCart ? cartVersions.outdated : cartVersions.current;
  const broken = { 'simulator.fleet.karmada.io/crash-after': '0s', 'simulator.fleet.karmada.io/exit-code': '1' };
  return [
    namespace(shop),
    namespace(platform),
    settings(region),
    workload('Deployment', { app: 'frontend', image: `${registry}/frontend:1.9.2`, port: 8080 }, { replicas: 3 }),
    workload('Deployment', { app: 'cart', image: `${registry}/cart:${cart}`, port: 8081 }, { replicas: 2 }),
    workload('Deployment', { app: 'payment', image: `${registry}/payment:3.0.7`, port: 8082 }, { replicas: 2 }),
    workload(
      'StatefulSet',
      {
        app: 'orders-db',
        image: 'postgres:18.1',
        port: 5432,
        env: { PGDATA: '/var/lib/postgresql/data' },
        ...(name === brokenDatabase ? { annotations: broken } : {}),
      },
      { replicas: 1, serviceName: 'orders-db' },
    ),
    workload(
      'DaemonSet',
      { app: 'log-agent', image: 'registry.example.com/platform/log-agent:0.12.0', port: 24224, namespace: platform },
      {},
    ),
    service('frontend', 80, { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 8080 }] }),
    service('cart', 8081),
    service('payment', 8082),
    service('orders-db', 5432, { clusterIP: 'None' }),
    report,
  ];
}
