/** Reads from the bytes of a node or a pod only what the summaries need. The rest is not parsed, whatever a member puts there (SEC-2). */

import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  skipValue,
  spanIs,
} from '@fleet/kube/json-bytes.ts';
import type { ResourceList } from '../members/cluster.ts';
import type { Container, PodSpec } from './pod-request.ts';

export interface CountedNode {
  isReady: boolean;
  allocatable: ResourceList | undefined;
}

export interface CountedPod {
  isOnNode: boolean;
  isOver: boolean;
  spec: PodSpec;
}

/** In bytes: etcd's limit of one object is lower. */
const largestObject = 2 * 1024 * 1024;
/** In bytes, of one object: parsing takes some milliseconds. Conditions and requests are a few KiB. */
const mostParsed = 128 * 1024;
const mostContainers = 1_000;

export function countedNode(bytes: Buffer): CountedNode {
  const object = new ObjectBytes(bytes);
  const { status } = object.members(0, 'status');
  const { conditions, allocatable } = object.members(status, 'conditions', 'allocatable');
  const known = object.parsed<{ type?: unknown; status?: unknown }[]>(conditions) ?? [];
  return {
    isReady: known.some(({ type, status }) => type === 'Ready' && status === 'True'),
    allocatable: object.parsed(allocatable),
  };
}

export function countedPod(bytes: Buffer): CountedPod {
  const object = new ObjectBytes(bytes);
  const { spec, status } = object.members(0, 'spec', 'status');
  const known = object.members(spec, 'nodeName', 'containers', 'initContainers', 'overhead', 'resources');
  const phase = object.parsed(object.members(status, 'phase').phase);
  return {
    isOnNode: Boolean(object.parsed(known.nodeName)),
    isOver: phase === 'Succeeded' || phase === 'Failed',
    spec: {
      containers: object.containers(known.containers),
      initContainers: object.containers(known.initContainers),
      overhead: object.parsed(known.overhead),
      requests: object.requests(known.resources),
    },
  };
}

class ObjectBytes {
  private readonly bytes: Buffer;
  private left = mostParsed;

  constructor(bytes: Buffer) {
    if (bytes.length > largestObject) throw new JsonBytesError(`a node or pod of ${bytes.length} bytes`);
    this.bytes = bytes;
  }

  /** The offsets of the values of these keys. If a key occurs twice, the last counts, as in JSON.parse. */
  members<Key extends string>(at: number | undefined, ...keys: Key[]): Partial<Record<Key, number>> {
    const found: Partial<Record<Key, number>> = {};
    if (at === undefined || !isObject(this.bytes, at)) return found;
    eachMember(this.bytes, at, (span, value) => {
      const key = keys.find((one) => spanIs(this.bytes, span, one));
      if (key !== undefined) found[key] = value;
      return undefined;
    });
    return found;
  }

  parsed<T>(at: number | undefined): T | undefined {
    if (at === undefined) return undefined;
    const end = skipValue(this.bytes, at);
    this.left -= end - at;
    if (this.left < 0)
      throw new JsonBytesError(`more than ${mostParsed} bytes of requests or conditions in one object`);
    return (JSON.parse(this.bytes.toString('utf8', at, end)) as T | null) ?? undefined;
  }

  requests(resources: number | undefined): ResourceList | undefined {
    return this.parsed(this.members(resources, 'requests').requests);
  }

  containers(at: number | undefined): Container[] {
    const containers: Container[] = [];
    if (at === undefined || !isArray(this.bytes, at)) return containers;
    eachElement(this.bytes, at, (container, index) => {
      if (index === mostContainers) throw new JsonBytesError(`a pod of more than ${mostContainers} containers`);
      const { restartPolicy, resources } = this.members(container, 'restartPolicy', 'resources');
      containers.push({ restartPolicy: this.parsed(restartPolicy), requests: this.requests(resources) });
    });
    return containers;
  }
}
