/** The authorisation webhooks of all members: one HTTPS server, a path for each. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAuthority } from '@fleet/bed/pki.ts';
import { type Cluster, clusters } from './questions.ts';
import { opinionOf, type WebhookRule } from './webhook-rules.ts';

interface Requirement {
  key: string;
  operator: string;
  values?: string[];
}

interface Review {
  spec: {
    user: string;
    groups?: string[];
    extra?: Record<string, string[]>;
    resourceAttributes?: {
      verb: string;
      resource: string;
      subresource?: string;
      namespace?: string;
      name?: string;
      labelSelector?: { requirements?: Requirement[] };
    };
  };
}

/** A review with it is about RBAC alone: the webhook has no opinion. */
export const rbacOnly = 'cached-permissions-rbac-only';

export class WebhookServer implements AsyncDisposable {
  readonly rules: Record<Cluster, readonly WebhookRule[]> = { 'webhook-first': [], 'webhook-last': [] };
  readonly ca: string;
  /** How often it was asked. */
  asked = 0;
  readonly #server: Server;

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.ca = ca;
    server.on('request', (request, response) => {
      text(request).then((body) => {
        this.asked++;
        const cluster = clusters.find((one) => request.url?.startsWith(`/${one}`));
        const status = this.#statusOf(cluster!, JSON.parse(body) as Review);
        const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(review));
      });
    });
  }

  static async start(): Promise<WebhookServer> {
    const authority = await createAuthority('webhook');
    const pair = await authority.issue({ name: 'webhook', ips: ['127.0.0.1'] });
    const server = createServer({ cert: pair.cert, key: pair.key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookServer(server, authority.cert);
  }

  url(cluster: Cluster): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${cluster}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #statusOf(cluster: Cluster, { spec }: Review): object {
    const asked = spec.resourceAttributes;
    if (!asked || asked.subresource || spec.extra?.[rbacOnly]) return { allowed: false };
    const { verb, resource, namespace = '', name = '', labelSelector } = asked;
    const isSelected = !!labelSelector?.requirements?.some(isOurs);
    const rule = opinionOf(this.rules[cluster], spec.user, spec.groups ?? [], {
      verb,
      resource,
      namespace,
      name,
      isSelected,
    });
    const opinion = rule?.opinion ?? 'none';
    return { allowed: opinion === 'allow', denied: opinion === 'deny', reason: rule?.reason ?? '' };
  }
}

const isOurs = ({ key, operator, values }: Requirement): boolean =>
  key === 'part' && operator === 'In' && values?.join() === 'a';
