/** `fleet get`: sends one request after the other, so that only one page is in memory. Errors are printed after the output. */

import { UsageError } from '../errors.ts';
import { type Answering, readEvents, readOne, readPages } from './answers.ts';
import type { Output } from './output.ts';
import { pathOf, type Request, type Scope } from './request.ts';

export async function printAll(
  requests: readonly Request[],
  scope: Scope,
  output: Output,
  answering: Answering,
): Promise<void> {
  const errors: unknown[] = [];
  for (const request of requests) {
    await printRequest(request, scope, output, answering).catch((error: unknown) => errors.push(error));
  }
  if (errors.length === 0 || requests.length > 1) output.end();
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors);
}

async function printRequest(request: Request, scope: Scope, output: Output, answering: Answering): Promise<void> {
  const path = pathOf(request, scope);
  const { type, name } = request;
  if (name !== undefined) {
    output.print(await readOne(withQuery(path, output), output.accept.object, answering), type);
    return;
  }
  for await (const page of readPages(path, queryOf(scope, output), output.accept.list, answering))
    output.print(page, type);
}

const queryOf = ({ selector }: Scope, { query }: Output): URLSearchParams =>
  new URLSearchParams({ ...query, ...(selector ? { labelSelector: selector } : {}) });

function withQuery(path: string, { query }: Output): string {
  const text = new URLSearchParams(query).toString();
  return text ? `${path}?${text}` : path;
}

/** The list, then whatever changes in it, until the server ends the watch. */
export async function printChanges(
  requests: readonly Request[],
  scope: Scope,
  output: Output,
  answering: Answering,
): Promise<void> {
  const [request, ...others] = requests;
  if (!request || others.length > 0) throw new UsageError('only one resource, or one type of them, can be watched');
  const path = pathOf({ ...request, name: undefined }, scope);
  const query = queryOf(scope, output);
  if (request.name !== undefined) {
    query.set('fieldSelector', `metadata.name=${request.name}`);
    // The server's own error if there is no such object.
    await readOne(withQuery(pathOf(request, scope), output), output.accept.object, answering);
  }
  let version = '';
  for await (const page of readPages(path, query, output.accept.list, answering)) {
    output.print(page, request.type);
    version = page.metadata?.resourceVersion ?? '';
  }
  for await (const event of readEvents(path, query, version, output.accept.object, answering)) {
    output.print(event, request.type);
  }
}
