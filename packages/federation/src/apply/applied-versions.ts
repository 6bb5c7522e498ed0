/**
 * The version of each object after the last write to its member. A member adds defaults and admission changes, so only its own answer
 * shows whether somebody has changed the object since (FED-8).
 */

import type { AnyObject } from '../api/objects.ts';
import { memberKey } from '../members/member-objects.ts';

interface Applied {
  uid: string | undefined;
  version: string;
  /** What was sent, as text. */
  desired: string;
}

export class AppliedVersions {
  readonly #applied = new Map<string, Applied>();

  record(cluster: string, desired: AnyObject, answer: AnyObject): void {
    this.#applied.set(memberKey(cluster, desired), {
      uid: answer.metadata.uid,
      version: versionOf(answer),
      desired: JSON.stringify(desired),
    });
  }

  /** Whether the same was sent before, and nobody has changed the object since. */
  isCurrent(cluster: string, desired: AnyObject, observed: AnyObject): boolean {
    const applied = this.#applied.get(memberKey(cluster, desired));
    return (
      applied !== undefined &&
      applied.uid === observed.metadata.uid &&
      applied.version === versionOf(observed) &&
      applied.desired === JSON.stringify(desired) &&
      isWithin(desired.metadata.labels, observed.metadata.labels) &&
      isWithin(desired.metadata.annotations, observed.metadata.annotations)
    );
  }

  /** After this, each object is built again and sent once. */
  clear(): void {
    this.#applied.clear();
  }

  forget(cluster: string, desired: AnyObject): void {
    this.#applied.delete(memberKey(cluster, desired));
  }
}

/** The generation changes with the spec alone; kinds without one have only their resource version. */
const versionOf = ({ metadata: { generation, resourceVersion } }: AnyObject): string =>
  generation ? `gen:${generation}` : `rv:${resourceVersion}`;

/** Labels and annotations do not change the generation. */
const isWithin = (desired: Record<string, string> = {}, observed: Record<string, string> = {}): boolean =>
  Object.entries(desired).every(([key, value]) => observed[key] === value);
