import { describe, expect, it } from 'vitest';
import { isNeverTemplate, isTemplateKind } from './never-templates.ts';

const object = (apiVersion: string, kind: string, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace }) },
});

describe('templates', () => {
  it.each([
    ['cluster.karmada.io/v1alpha1', 'Cluster'],
    ['policy.karmada.io/v1alpha1', 'PropagationPolicy'],
    ['work.karmada.io/v1alpha2', 'ResourceBinding'],
    ['config.karmada.io/v1alpha1', 'ResourceExploringWebhookConfiguration'],
    ['search.karmada.io/v1alpha1', 'ResourceRegistry'],
    ['apps.karmada.io/v1alpha1', 'WorkloadRebalancer'],
    ['networking.karmada.io/v1alpha1', 'MultiClusterService'],
    ['autoscaling.karmada.io/v1alpha1', 'FederatedHPA'],
    ['remedy.karmada.io/v1alpha1', 'Remedy'],
    ['operator.karmada.io/v1alpha1', 'Karmada'],
    ['cluster.kubesphere.io/v1alpha1', 'Agent'],
    ['v1', 'Event'],
    ['events.k8s.io/v1', 'Event'],
    ['coordination.k8s.io/v1', 'Lease'],
  ])('FED-19: never of %s %s', (apiVersion, kind) => {
    expect(isNeverTemplate(object(apiVersion, kind, 'default'))).toBe(true);
  });

  it.each(['kube-system', 'kube-public', 'kube-', 'karmada-system', 'karmada-cluster', 'karmada-es-m1'])(
    'FED-19: never in the namespace %s',
    (namespace) => expect(isNeverTemplate(object('apps/v1', 'Deployment', namespace))).toBe(true),
  );

  it.each<[string, string, string?]>([
    ['apps/v1', 'Deployment', 'default'],
    ['v1', 'ConfigMap', 'kubernetes'],
    ['v1', 'ConfigMap', 'karmada-systems'],
    ['v1', 'ConfigMap', 'karmada-es'],
    ['v1', 'ConfigMap', 'my-kube-system'],
    ['v1', 'Namespace'],
    ['foo.karmada.io/v1', 'Foo', 'default'],
    ['karmada.io/v1', 'Foo', 'default'],
    ['example.com/v1', 'Event', 'default'],
    ['coordination.k8s.io/v1beta1', 'LeaseCandidate', 'default'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ])('FED-19: %s %s in %s is one', (apiVersion, kind, namespace) => {
    expect(isNeverTemplate(object(apiVersion, kind, namespace))).toBe(false);
  });

  it('FED-19: kinds by group and name', () => {
    expect(isTemplateKind({ group: '', kind: 'Event' })).toBe(false);
    expect(isTemplateKind({ group: '', kind: 'Pod' })).toBe(true);
  });
});
