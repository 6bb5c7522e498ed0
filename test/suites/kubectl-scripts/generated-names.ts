/** Names with random endings, also of objects that are gone: each is its stem and a star. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

const restartedAt = 'kubectl.kubernetes.io/restartedAt';

export class GeneratedNames {
  readonly #stems = new Map<string, string>();
  /** Pods of StatefulSets: numbered. */
  readonly #ordinals = new Set<string>();
  /** Hashes of templates that hold the time of a restart. */
  readonly #timed = new Set<string>();

  add(object: KubeObject): void {
    const { name, generateName, labels = {}, ownerReferences = [] } = object.metadata;
    if (ownerReferences.some(({ kind }) => kind === 'StatefulSet')) this.#ordinals.add(name);
    // One that was orphaned keeps its number.
    if (generateName && !this.#ordinals.has(name) && name.startsWith(generateName))
      this.#stems.set(name, `${generateName}*`);
    const hash =
      labels['pod-template-hash'] ?? labels['controller.kubernetes.io/hash'] ?? labels['controller-revision-hash'];
    if (hash && JSON.stringify(object).includes(restartedAt)) this.#timed.add(hash.split('-').at(-1)!);
  }

  isOrdinal(name: string): boolean {
    return this.#ordinals.has(name);
  }

  /** Hashes that are computed of what both share stay as they are: only the random ending goes. */
  hide(text: string): string {
    const plain = text.replace(/[a-z0-9](?:[-a-z0-9]*[a-z0-9])?/g, (word) => this.#stems.get(word) ?? word);
    if (this.#timed.size === 0) return plain;
    return plain.replace(/[a-z0-9]+/g, (word) => (this.#timed.has(word) ? '<hash>' : word));
  }
}
