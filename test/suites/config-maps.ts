/** ConfigMaps written in members directly, for watches to send. */

import type { Member } from '@fleet/bed/member.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';

export class ConfigMaps<Name extends string> {
  private readonly members: Record<Name, Member>;

  constructor(members: Record<Name, Member>) {
    this.members = members;
  }

  put(cluster: Name, name: string, labels: Record<string, string> = {}) {
    return this.members[cluster].api.object<{ metadata: { resourceVersion: string } }>(configMaps, {
      method: 'POST',
      body: { metadata: { name, labels } },
    });
  }

  change(cluster: Name, name: string, body: unknown = { data: { at: `${Math.random()}` } }) {
    const contentType = 'application/merge-patch+json';
    return this.members[cluster].api.object(`${configMaps}/${name}`, { method: 'PATCH', contentType, body });
  }

  remove(cluster: Name, name: string) {
    return this.members[cluster].api.object(`${configMaps}/${name}`, { method: 'DELETE' });
  }

  /** The member's version grows by something that nobody here watches. */
  async moveOn(cluster: Name): Promise<void> {
    const path = '/api/v1/namespaces/default/secrets';
    const body = { metadata: { generateName: 'moved-on-' } };
    await this.members[cluster].api.object(path, { method: 'POST', body });
  }
}
