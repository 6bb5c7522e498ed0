/** The definition of KubeSphere's Cluster: its schema validates writes, its columns print Tables, its texts are for `kubectl explain`. */

import type { Definition } from '@fleet/apiserver/crds/definition.ts';
import type { Schema } from '@fleet/apiserver/schema/open-api.ts';
import { faceGroup, faceVersion } from './kubesphere-cluster.ts';

const text = (description: string): Schema => ({ type: 'string', description });
const yes = (description: string): Schema => ({ type: 'boolean', description });
const port = (description: string): Schema => ({ type: 'integer', minimum: 0, maximum: 65_535, description });
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description });

const connection: Schema = {
  type: 'object',
  description: 'How the cluster is reached.',
  properties: {
    type: {
      type: 'string',
      enum: ['direct', 'proxy'],
      description:
        'direct if the fleet reaches the cluster by itself, the default; proxy if it is reached only through an agent in the cluster, which dials out.',
    },
    kubernetesAPIEndpoint: text(
      "URL of the cluster's API server, https. Taken from the kubeconfig where that is written without it.",
    ),
    kubesphereAPIEndpoint: text(
      "URL of the cluster's ks-apiserver, for paths below /kapis. Without it they go through its API server's service proxy.",
    ),
    kubeconfig: {
      type: 'string',
      format: 'byte',
      description:
        'A kubeconfig, base64, with its certificates, keys and tokens inline. Write-only: it is kept as a Secret, and never shown.',
    },
    token: text(
      "The agent's token, of at least 32 characters. Write-only: its hash is kept in a Secret, and it is never shown.",
    ),
    externalKubernetesAPIEndpoint: text('Kept and shown; the fleet does not use it.'),
    kubernetesAPIServerPort: port('Kept and shown; the fleet does not use it.'),
    kubesphereAPIServerPort: port('Kept and shown; the fleet does not use it.'),
  },
};

const spec: Schema = {
  type: 'object',
  description: 'The desired state of the cluster, and how it is reached.',
  properties: {
    federated: yes('Whether the cluster joins the federation. False by default for clusters created in this form.'),
    joinFederation: yes('The same as federated, as released versions of KubeSphere name it.'),
    active: yes('Whether the cluster is in use, the default. False takes it out of all views, and ends its streams.'),
    enable: yes('The same as active, as released versions of KubeSphere name it.'),
    provider: text('The provider of the cluster, for information only.'),
    connection,
    externalKubeAPIEnabled: yes('Kept and shown; the fleet does not use it.'),
    config: { type: 'string', format: 'byte', description: 'Kept and shown; the fleet does not use it.' },
  },
};

const condition: Schema = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: text('Initialized, AgentAvailable, Ready, or another.'),
    status: text('True, False or Unknown.'),
    reason: text('A one-word reason.'),
    message: text('A message for people.'),
    lastTransitionTime: time('When the status last changed.'),
    lastUpdateTime: time('The same.'),
  },
};

const status: Schema = {
  type: 'object',
  description: 'The observed state of the cluster. Written by the fleet.',
  properties: {
    conditions: {
      type: 'array',
      description:
        'Initialized once the cluster has been reached, AgentAvailable while an agent is connected or none is needed, Ready while it answers.',
      items: condition,
    },
    kubernetesVersion: text('The Kubernetes version of the cluster.'),
    nodeCount: { type: 'integer', description: 'How many nodes the cluster has.' },
    zones: { type: 'array', items: { type: 'string' }, description: 'The zones of the cluster.' },
    region: text('The region of the cluster.'),
    uid: text("The uid of the cluster's namespace kube-system."),
  },
};

const schema: Schema = {
  type: 'object',
  description:
    'Cluster is a member of the fleet in the form of KubeSphere. It is the same object as the Cluster of group cluster.karmada.io: writing either changes the other.',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec,
    status,
  },
};

export const faceDefinition: Definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `clusters.${faceGroup}`, generation: 1 },
  spec: {
    group: faceGroup,
    scope: 'Cluster',
    names: { kind: 'Cluster', listKind: 'ClusterList', plural: 'clusters', singular: 'cluster' },
    versions: [
      {
        name: faceVersion,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        additionalPrinterColumns: [
          { name: 'Federated', type: 'boolean', jsonPath: '.spec.federated' },
          { name: 'Provider', type: 'string', jsonPath: '.spec.provider' },
          { name: 'Active', type: 'boolean', jsonPath: '.spec.active' },
          { name: 'Version', type: 'string', jsonPath: '.status.kubernetesVersion' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Connection', type: 'string', priority: 1, jsonPath: '.spec.connection.type' },
          { name: 'Endpoint', type: 'string', priority: 1, jsonPath: '.spec.connection.kubernetesAPIEndpoint' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};
