/** Builds the objects of the federation demo: one template, a policy by weight, an override by region, and an error to try. */

import type { AnyObject } from '@fleet/federation/api/objects.ts';

export const storefront = 'storefront';
/** Where the fault is put. */
export const faultyRegion = { cluster: 'tokyo', region: 'ap-northeast-1' } as const;
export const faultName = 'faulty-settings';

export const replicas = { made: 6, scaled: 12 } as const;
/** 6 are divided as 3:2:1, 12 as 6:4:2. */
const weights = { frankfurt: 3, virginia: 2, [faultyRegion.cluster]: 1 } as const;
export const shares = (total: number): { cluster: string; replicas: number }[] =>
  Object.entries(weights).map(([cluster, weight]) => ({ cluster, replicas: (total * weight) / 6 }));

export const registries = { usual: 'registry.example.com', europe: 'eu.registry.example.com' } as const;

const policies = 'policy.karmada.io/v1alpha1';
const selector = { apiVersion: 'apps/v1', kind: 'Deployment', name: storefront };

const namespace: AnyObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: storefront } };

export const template = (count: number): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: storefront, namespace: storefront },
  spec: {
    replicas: count,
    selector: { matchLabels: { app: storefront } },
    template: {
      // An override can add an annotation only where there are some.
      metadata: { labels: { app: storefront }, annotations: { team: 'web' } },
      spec: { containers: [{ name: 'web', image: `${registries.usual}/shop/${storefront}:1.0.0` }] },
    },
  },
});

const policy: AnyObject = {
  apiVersion: policies,
  kind: 'PropagationPolicy',
  metadata: { name: storefront, namespace: storefront },
  spec: {
    resourceSelectors: [selector],
    placement: {
      clusterAffinity: { clusterNames: Object.keys(weights) },
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: Object.entries(weights).map(([name, weight]) => ({
            targetCluster: { clusterNames: [name] },
            weight,
          })),
        },
      },
    },
  },
};

const inRegion = (region: string) => ({
  fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: [region] }] },
});

const override = (name: string, region: string, overriders: object): AnyObject => ({
  apiVersion: policies,
  kind: 'OverridePolicy',
  metadata: { name, namespace: storefront },
  spec: { resourceSelectors: [selector], overrideRules: [{ targetCluster: inRegion(region), overriders }] },
});

const registryInEurope = override('registry-in-europe', 'eu-central-1', {
  imageOverrider: [{ component: 'Registry', operator: 'replace', value: registries.europe }],
});

/** In the order in which they can be created. */
export const storefrontObjects: readonly AnyObject[] = [namespace, template(replicas.made), policy, registryInEurope];

/** The pods of one region end with an error, as with settings that they cannot read. */
export const fault: AnyObject = override(faultName, faultyRegion.region, {
  plaintext: [
    {
      path: '/spec/template/metadata/annotations/simulator.fleet.karmada.io~1crash-after',
      operator: 'add',
      value: '0s',
    },
  ],
});
