/** One of the two servers, asked with the same words. */

import { until } from '@fleet/bed/until.ts';
import { Connection } from '@fleet/differential/connection.ts';
import type { Endpoint } from '@fleet/differential/endpoint.ts';
import { isObject, type JsonObject, type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';

export interface Step {
  method: string;
  path: string;
  body?: JsonValue;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface Answer {
  code: number;
  body: JsonValue;
  warning?: string;
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export class Side implements AsyncDisposable {
  readonly #connection: Connection;

  constructor(endpoint: Endpoint) {
    this.#connection = new Connection(endpoint);
  }

  async send({ method, path, body, query = {}, headers = {} }: Step): Promise<Answer> {
    const answer = await this.#connection.send({
      method,
      path,
      query: Object.entries(query),
      headers: {
        accept: 'application/json',
        'user-agent': 'crds',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: jsonText(body) }),
    });
    const text = answer.body.toString();
    const { warning } = answer.headers;
    return {
      code: answer.status,
      body: text.startsWith('{') ? parseJson(text) : text.trim(),
      ...(warning ? { warning } : {}),
    };
  }

  /** Made, or as it is now, and served. */
  async define(definition: JsonObject): Promise<Answer> {
    const made = await this.send({ method: 'POST', path: definitionsPath, body: definition });
    if (made.code === 201) await this.established(String((definition['metadata'] as JsonObject)['name']));
    return made;
  }

  async established(name: string): Promise<void> {
    await until(`${name} is established`, async () => {
      const { body } = await this.send({ method: 'GET', path: `${definitionsPath}/${name}` });
      const { status, spec } = body as unknown as Defined;
      if (!status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True'))
        return false;
      const path = `/apis/${spec.group}/${spec.versions[0]!.name}/${spec.names.plural}`;
      return (await this.send({ method: 'GET', path })).code === 200;
    });
  }

  async gone(name: string): Promise<void> {
    await until(`${name} is gone`, async () => {
      const { code } = await this.send({ method: 'GET', path: `${definitionsPath}/${name}` });
      return code === 404;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}

interface Defined {
  spec: { group: string; names: { plural: string }; versions: { name: string }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

/** The version that a PUT must name. */
export const versionOf = ({ body }: Answer): string =>
  isObject(body) ? String((body['metadata'] as JsonObject | undefined)?.['resourceVersion'] ?? '') : '';
