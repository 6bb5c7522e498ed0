/** Changes what one member allows; each change counts when the member's own access reviews answer by it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@fleet/bed/api.ts';
import { until } from '@fleet/bed/until.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { Decisions } from './decisions.ts';
import { allQuestions, type Cluster, groupsOf, keyOf, type Question } from './questions.ts';
import { initialSteps, isIndirect } from './rbac-changes.ts';
import { requestOf } from './rbac-objects.ts';
import { allows, applied, type RbacState, type Step } from './rbac-state.ts';
import { opinionAbout, type WebhookRule } from './webhook-rules.ts';
import { rbacOnly, type WebhookServer } from './webhook-server.ts';

export interface AuthorityOptions {
  readonly cluster: Cluster;
  readonly api: Api;
  readonly webhooks: WebhookServer;
  readonly decisions: Decisions;
  /** How long the API server keeps what the webhook decided, in milliseconds. */
  readonly keptFor: number;
}

export class Authority {
  rbac: RbacState = new Map();
  readonly #options: AuthorityOptions;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

  /** In force when this returns. */
  async begin(random: Random, rules: readonly WebhookRule[]): Promise<void> {
    for (const step of initialSteps(random)) await this.step(step);
    await this.setRules(rules);
  }

  /** The questions whose answer by RBAC such a step would change. */
  flippedBy(step: Step): Question[] {
    const next = applied(this.rbac, step);
    return allQuestions.filter((question) => allows(this.rbac, question) !== allows(next, question));
  }

  async step(step: Step): Promise<void> {
    const { api, cluster, decisions } = this.#options;
    const flipped = this.flippedBy(step);
    this.rbac = applied(this.rbac, step);
    const { path, ...options } = requestOf(step);
    const sent = performance.now();
    const changes = flipped.map((question) => {
      const { rbac } = decisions.of(cluster, question);
      return rbac.change(!rbac.value, sent);
    });
    await api.object(path, options);
    // One object is one change to the authoriser, but for what a controller copies to others.
    const witnesses = isIndirect(step) ? flipped.filter(({ isSelected }) => !isSelected) : flipped.slice(0, 1);
    for (const question of witnesses) await this.#settled(question);
    const settled = performance.now();
    for (const change of changes) change.settle(settled);
  }

  async setRules(rules: readonly WebhookRule[]): Promise<void> {
    const { cluster, decisions, webhooks, keptFor } = this.#options;
    const now = performance.now();
    webhooks.rules[cluster] = rules;
    const changes = allQuestions.flatMap((question) => {
      const { webhook } = decisions.of(cluster, question);
      const opinion = opinionAbout(rules, question);
      return opinion === webhook.value ? [] : [webhook.change(opinion, now)];
    });
    if (keptFor > 0) await pause(keptFor + 50);
    const settled = performance.now();
    for (const change of changes) change.settle(settled);
  }

  #settled(question: Question): Promise<boolean> {
    const expected = allows(this.rbac, question);
    const what = `RBAC of ${this.#options.cluster} ${expected ? 'allows' : 'refuses'} ${keyOf(question)}`;
    return until(what, async () => (await this.#review(question)) === expected, { every: 5, timeout: 15_000 });
  }

  async #review({ user, verb, resource, namespace, name }: Question): Promise<boolean> {
    const resourceAttributes = { verb, resource, namespace, name };
    const groups = [...groupsOf(user), 'system:authenticated'];
    const { status } = await this.#options.api.object<{ status: { allowed: boolean } }>(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        method: 'POST',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user, groups, extra: { [rbacOnly]: ['yes'] }, resourceAttributes },
        },
      },
    );
    return status.allowed;
  }
}
