/** The worker thread that serves long requests, one after the other. */

import { parentPort, workerData } from 'node:worker_threads';
import { noSuchResource, type StatusError, statusErrorOf } from '@fleet/kube/status.ts';
import { loadAdmission } from '../admission/admission.ts';
import { writeEvent } from '../http/event-form.ts';
import { inFormat, isNoPath, refusalReply } from '../http/last-form.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import { serveResource } from '../http/verbs.ts';
import { writtenKind } from '../openapi/published-kind.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import { PortStore } from '../store/worker/port-store.ts';
import type { LongJob, LongReply, LongRequest, ThreadOptions, ThreadPorts } from './messages.ts';
import { remotePermissions } from './permissions-port.ts';
import { ThreadResources } from './thread-resources.ts';

if (!parentPort) throw new Error('must be started as a worker thread');
const { store, permissions, admissionModule, ...options } = workerData as ThreadPorts & ThreadOptions;
const resources = new ThreadResources(new PortStore(store), remotePermissions(permissions), {
  ...options,
  module: await loadAdmission(admissionModule),
});

const never = new AbortController().signal;

async function answer({ request: given, ask, user, createRefused }: LongRequest): Promise<LongReply> {
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
    const reply = await inFormat(
      request,
      await serveResource(resource, { request, ask, query, user, warn, createRefused }),
    );
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

async function made(job: Exclude<LongJob, { what: 'request' }>): Promise<Buffer | undefined> {
  const resource = await resources.find(job.path);
  if (!resource) return undefined;
  const { printed, types } = resource;
  switch (job.what) {
    case 'conversion':
      return printed.stored && encodeObject(printed.stored.fromStored(decodeObject({ value: job.value, revision: 0 })));
    case 'description':
      return typeof types.schema === 'object' ? writtenKind(printed, types.schema, job.form) : undefined;
    case 'event':
      return writeEvent(job, printed);
    default:
      return job satisfies never;
  }
}

async function replyTo(job: LongJob): Promise<LongReply> {
  if (job.what === 'request') return answer(job);
  try {
    const value = await made(job);
    return value
      ? { is: 'value', value: new Uint8Array(value) }
      : { is: 'refused', status: noSuchResource().toStatus() };
  } catch (thrown) {
    const error = statusErrorOf(thrown);
    return { is: 'refused', status: error.toStatus(), ...(error.code === 500 ? { internal: textOf(error) } : {}) };
  }
}

parentPort.on('message', async (job: LongJob) => {
  const reply = await replyTo(job);
  const bytes = reply.is === 'reply' ? reply.reply.body : reply.is === 'value' ? reply.value : undefined;
  // The bytes are transferred, as they are not used here any more.
  parentPort?.postMessage(reply, bytes ? [bytes.buffer as ArrayBuffer] : []);
});
