/** Webhook configurations for tests. */

import type { AnyObject } from '../../../api/objects.ts';

export type Fields = Record<string, unknown>;

export const rule = {
  operations: ['ExploreReplica'],
  apiGroups: ['a.example'],
  apiVersions: ['v1'],
  resources: ['foos'],
};
export const interpretRule = { operations: ['Retain'], apiGroups: ['a.example'], apiVersions: ['v1'], kinds: ['Foo'] };
export const client = { url: 'https://hooks.example.com/explore' };

export const exploring = (...webhooks: Fields[]): AnyObject => ({
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceExploringWebhookConfiguration',
  metadata: { name: 'example' },
  webhooks: webhooks.map((webhook) => ({
    name: 'foo.example.com',
    rules: [rule],
    clientConfig: client,
    exploreReviewVersions: ['v1alpha1'],
    ...webhook,
  })),
});

export const interpreting = (...webhooks: Fields[]): AnyObject => ({
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterWebhookConfiguration',
  metadata: { name: 'example' },
  webhooks: webhooks.map((webhook) => ({
    name: 'foo.example.com',
    rules: [interpretRule],
    clientConfig: client,
    interpreterContextVersions: ['v1alpha1'],
    ...webhook,
  })),
});
