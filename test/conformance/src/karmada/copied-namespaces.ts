/** What Karmada's controller manager does for the specs' namespaces: each that is in the control plane is in every member. */

import type { Member } from '@fleet/bed/member.ts';

const prefix = 'karmadatest-';

interface Namespaces {
  items: { metadata: { name: string; deletionTimestamp?: string } }[];
}

export class CopiedNamespaces {
  readonly #controlPlane: Member;
  readonly #members: readonly Member[];
  readonly #made = new Set<string>();

  constructor(controlPlane: Member, members: readonly Member[]) {
    this.#controlPlane = controlPlane;
    this.#members = members;
  }

  /** After each change: the specs write one after the other. */
  async update(): Promise<void> {
    const { items } = await this.#controlPlane.api.object<Namespaces>('/api/v1/namespaces');
    const names = items
      .filter(({ metadata }) => metadata.name.startsWith(prefix) && !metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name);
    const added = names.filter((name) => !this.#made.has(name));
    const removed = [...this.#made].filter((name) => !names.includes(name));
    for (const { api } of this.#members) {
      for (const name of added)
        await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name } } });
      for (const name of removed) await api.object(`/api/v1/namespaces/${name}`, { method: 'DELETE' });
    }
    for (const name of added) this.#made.add(name);
    for (const name of removed) this.#made.delete(name);
  }
}
