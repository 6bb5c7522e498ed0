/** The thread that answers long requests, one after the other. */

import { parentPort, workerData } from 'node:worker_threads';
import { noSuchResource, type StatusError, statusErrorOf } from '@fleet/kube/status.ts';
import { inFormat, isNoPath, refusalReply } from '../http/last-form.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import { serveResource } from '../http/verbs.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import { PortStore } from '../store/worker/port-store.ts';
import type { LongJob, LongReply, LongRequest, Path, ThreadPorts } from './messages.ts';
import { remoteRights } from './rights-port.ts';
import { ThreadResources } from './thread-resources.ts';

if (!parentPort) throw new Error('to be started as a worker');
const { store, rights } = workerData as ThreadPorts;
const resources = new ThreadResources(new PortStore(store), remoteRights(rights));

const never = new AbortController().signal;

async function answer({ request: given, ask, user }: LongRequest): Promise<LongReply> {
  const { body, ...rest } = given;
  const request: ApiRequest = {
    ...rest,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    signal: never,
  };
  const warnings: string[] = [];
  try {
    const resource = await resources.find(ask);
    if (!resource) throw noSuchResource();
    const at = request.url.indexOf('?');
    const query = new URLSearchParams(at < 0 ? '' : request.url.slice(at));
    const warn = (text: string): void => void warnings.push(text);
    const reply = await inFormat(request, await serveResource(resource, { request, ask, query, user, warn }));
    return { is: 'reply', reply: await whole(reply), warnings };
  } catch (thrown) {
    const error = statusErrorOf(thrown);
    if (isNoPath(error)) return { is: 'refused', status: error.toStatus() };
    const reply = await whole(refusalReply(request, error));
    return { is: 'reply', reply, warnings, ...(error.code === 500 ? { internal: textOf(error) } : {}) };
  }
}

async function whole({ status, headers, body, media }: ApiReply): Promise<(LongReply & { is: 'reply' })['reply']> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
  return { status, headers, body: new Uint8Array(bytes), ...(media ? { media } : {}) };
}

function textOf({ message, cause }: StatusError): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : message;
}

async function show(path: Path, value: Uint8Array): Promise<LongReply> {
  const stored = (await resources.find(path))?.printed.stored;
  if (!stored) return { is: 'refused', status: noSuchResource().toStatus() };
  return { is: 'value', value: new Uint8Array(encodeObject(stored.fromStored(decodeObject({ value, revision: 0 })))) };
}

parentPort.on('message', async (job: LongJob) => {
  const reply = job.what === 'request' ? await answer(job) : await show(job.path, job.value);
  parentPort?.postMessage(reply);
});
