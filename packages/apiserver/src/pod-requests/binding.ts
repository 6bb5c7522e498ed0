/** Serves `pods/{name}/binding`: assigns a pod to a node, once. */

import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { type FieldError, notSupported, required, textOf } from '../errors/field-error.ts';
import { conflict } from '../errors/refusals.ts';
import { type AnsweredResource, answeredReader, passingKind } from '../http/answered-resource.ts';
import type { Call } from '../http/verb.ts';
import { readWriteOptions } from '../http/write-options.ts';
import { type PodStatus, withCondition } from '../kinds/pods/pod-conditions.ts';
import type { PodSpec } from '../kinds/pods/pod-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';

const kind = passingKind({ group: '', version: 'v1', kind: 'Binding', namespaced: true });

interface Target {
  kind?: string;
  name?: string;
}

export const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** Also served as `bindings`, where the body names the pod. */
export function bindings(pods: ObjectRegistry): AnsweredResource[] {
  const bind = async (binding: KubeObject, { ask, query }: Call): Promise<object> => {
    const { name, uid, resourceVersion } = binding.metadata;
    if (ask.subresource && ask.name !== name) throw badRequest('name in URL does not match name in Binding object');
    const target = (binding['target'] ?? {}) as Target;
    const errors = targetErrors(target);
    if (errors.length > 0) throw new StatusError(500, '', textOf(errors));
    const { dryRun } = readWriteOptions(query, 'CreateOptions');
    const options = { namespace: ask.namespace, dryRun, uid, isWhole: true };
    await pods.update(name!, options, (pod) => {
      if (resourceVersion && resourceVersion !== pod!.metadata.resourceVersion)
        throw conflict(
          pods.kind,
          name!,
          `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${pod!.metadata.resourceVersion}`,
        );
      return bound(pod!, binding, target.name!);
    });
    return success;
  };
  const paths = [
    { group: '', version: 'v1', resource: 'pods', subresource: 'binding' },
    { group: '', version: 'v1', resource: 'bindings' },
  ];
  return paths.map((at) => ({ at, kind, read: answeredReader(kind, { subresource: 'binding' }), answer: bind }));
}

const targetErrors = ({ kind: of, name }: Target): FieldError[] => [
  ...(of && of !== 'Node' ? [notSupported('target.kind', of, ['Node', '<empty>'])] : []),
  ...(name ? [] : [required('target.name')]),
];

function bound(pod: KubeObject, { metadata: { annotations, labels } }: KubeObject, nodeName: string): KubeObject {
  const { metadata } = pod;
  const spec = (pod['spec'] ?? {}) as PodSpec;
  const refuse = (why: string) => conflict({ group: '', resource: 'pods/binding' }, metadata.name!, why);
  if (metadata.deletionTimestamp) throw refuse(`pod ${metadata.name} is being deleted, cannot be assigned to a host`);
  if (spec.nodeName) throw refuse(`pod ${metadata.name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  if (spec.schedulingGates?.length) throw refuse(`pod ${metadata.name} has non-empty .spec.schedulingGates`);
  const { nominatedNodeName: _, ...status } = (pod['status'] ?? {}) as PodStatus;
  return {
    ...pod,
    metadata: {
      ...metadata,
      ...(annotations ? { annotations: { ...metadata.annotations, ...annotations } } : {}),
      ...(labels ? { labels: { ...metadata.labels, ...labels } } : {}),
    },
    spec: { ...spec, nodeName },
    status: withCondition(status, { type: 'PodScheduled', status: 'True' }, Date.now()),
  };
}
