/** Rewrites the strings of a request's body and leaves all else as it stands. What is no object stays as it is. */
import { parse, stringify } from 'yaml';
import type { Request } from '../request.ts';
import { rewriteStrings } from './rewrite-strings.ts';

/** `path` is that of the object: in a JSON patch the operation's path counts. */
type Edit = (path: string, text: string) => string;

export function rewriteBody(request: Request, edit: Edit): Request {
  const { body, headers } = request;
  if (body === undefined) return request;
  const type = headers['content-type'] ?? '';
  try {
    return { ...request, body: rewritten(body, type.includes('json-patch'), edit) };
  } catch {
    return type.includes('yaml') ? { ...request, body: rewrittenYaml(body, edit) } : request;
  }
}

function rewritten(json: string, isPatch: boolean, edit: Edit): string {
  const locate = isPatch ? patchPaths(json) : (path: readonly string[]) => path.join('/');
  return rewriteStrings(json, (path, text) => edit(locate(path), text));
}

function patchPaths(json: string): (path: readonly string[]) => string {
  const operations: unknown = JSON.parse(json);
  return ([index = '', key, ...inside]) => {
    const operation: unknown = Array.isArray(operations) ? operations[Number(index)] : undefined;
    const pointer = (operation as { path?: unknown } | undefined)?.path;
    if (typeof pointer !== 'string' || key !== 'value') return '';
    return [pointer.slice(1), ...inside].join('/');
  };
}

function rewrittenYaml(body: string, edit: Edit): string {
  try {
    const value: unknown = parse(body, { version: '1.1' });
    if (typeof value !== 'object') return body;
    return stringify(JSON.parse(rewritten(JSON.stringify(value), false, edit)), { version: '1.1' });
  } catch {
    return body; // neither JSON nor YAML: the server is to report it
  }
}
