/** A Deployment whose pods wait until a gate is opened: a rollout that is under way for as long as a test wants. */

import type { Member } from '@fleet/bed/member.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

export class GatedDeployment {
  private readonly member: Member;
  private readonly name: string;

  private constructor(member: Member, name: string) {
    this.member = member;
    this.name = name;
  }

  static async create(member: Member, name: string): Promise<GatedDeployment> {
    const labels = { app: name };
    // No node has the label yet.
    const pod = { nodeSelector: { [name]: 'open' }, containers: [{ name, image: `${name}:1` }] };
    const template = { metadata: { labels }, spec: pod };
    const body = { metadata: { name }, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
    await member.api.object(deployments, { method: 'POST', body });
    return new GatedDeployment(member, name);
  }

  async open(): Promise<void> {
    await this.member.api.object(`/api/v1/nodes/${this.member.name}-node-1`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { [this.name]: 'open' } } },
    });
  }
}
