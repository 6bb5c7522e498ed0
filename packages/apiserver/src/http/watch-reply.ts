/** Encodes a watch as lines of JSON, or in protobuf. After the start, errors are events, too. */

import { Pace } from '@fleet/client/pace.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { notAcceptable, statusErrorOf } from '@fleet/kube/status.ts';
import { zeroObject } from '../go-json/zero-value.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import type { Form, WatchEvent } from '../watch-cache/shared-event.ts';
import type { Watched } from '../watch-cache/watcher.ts';
import { type EventForm, type LongEvent, line, plainLine, protobufEvent, writeEvent } from './event-form.ts';
import type { ApiReply, FollowedBody } from './message.ts';
import type { RequestedForm } from './object-forms.ts';
import { type IncludeObject, partialMetadata, tableHead, tableRow } from './table.ts';

/** Encodes an event of a large object on a worker thread. */
export type WriteOnThread = (event: LongEvent) => Promise<Uint8Array>;

const endOf = (endsInitialEvents: boolean) =>
  endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};

const metadataAt = (revision: number, ends: boolean) => ({ resourceVersion: String(revision), ...endOf(ends) });

const nothing = { kind: '', apiVersion: '' };

function zeroOf(printed: PrintedKind): KubeObject {
  const type = kindType(apiVersionOf(printed), printed.kind);
  return { kind: printed.kind, apiVersion: apiVersionOf(printed), metadata: {}, ...(type ? zeroObject(type) : {}) };
}

/** In Go's encoding, with the empty fields of its type. */
function bookmarkOf(printed: PrintedKind, revision: number, ends: boolean): KubeObject {
  const object = { ...zeroOf(printed), metadata: metadataAt(revision, ends) };
  printed.strategy.completeEmpty?.(object);
  return object;
}

/** Encoded once for all watchers. */
function plainForm(printed: PrintedKind): Form {
  return {
    name: 'object',
    event: plainLine,
    bookmark: (revision, ends) => line('BOOKMARK', bookmarkOf(printed, revision, ends)),
  };
}

const metadataForm = (eventForm: EventForm, printed: PrintedKind): Form => ({
  name: 'metadata',
  event: (type, object) => writeEvent({ type, object, form: { ...eventForm, isProtobuf: false } }, printed),
  bookmark: (revision, ends) => line('BOOKMARK', partialMetadata({ ...nothing, metadata: metadataAt(revision, ends) })),
});

/** Columns come with the first event of each watch, and ages are current: nothing is shared. */
function tableForm(eventForm: EventForm, { table }: RequestedForm): Form {
  return {
    name: undefined,
    event: (type, object) => writeEvent({ type, object, form: eventForm }, table.printed),
    // A bookmark is an empty row with the object.
    bookmark: (revision, ends) => {
      const object = bookmarkOf(table.printed, revision, ends);
      const head = tableHead({ resourceVersion: String(revision) }, table, eventForm.isFirst);
      // The initial-events-end bookmark has its object, whatever the client requested.
      const include = ends ? withObject(table.include) : table.include;
      return line('BOOKMARK', { ...head, rows: [tableRow(object, { ...table, now: Date.now(), include })] });
    },
  };
}

const withObject = (include: IncludeObject): IncludeObject => (include === 'None' ? 'Metadata' : include);

/** Decoded and encoded once for all watchers. */
const inProtobuf = (form: Form): Form => ({
  name: form.name && `${form.name} in protobuf`,
  event: (type, object) => protobufEvent(form.event(type, object)),
  bookmark: (revision, ends) => protobufEvent(form.bookmark(revision, ends)),
});

function formOf(requested: RequestedForm, eventForm: EventForm): Form {
  switch (requested.form) {
    case 'Table':
      return tableForm(eventForm, requested);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return metadataForm(eventForm, requested.table.printed);
    default:
      return plainForm(requested.table.printed);
  }
}

/** Errors are events, too. */
const errorLine = (thrown: unknown): Buffer => line('ERROR', statusErrorOf(thrown).toStatus());

/** In bytes. */
const large = 32 * 1024;

const bare: Form = { name: 'bare object', event: (_, object) => object, bookmark: () => new Uint8Array() };

async function* linesOf(
  events: Watched,
  write: (event: WatchEvent) => Uint8Array | Promise<Uint8Array>,
  writeError: (thrown: unknown) => Uint8Array = errorLine,
): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  try {
    for await (const event of events) {
      // Many events may wait, such as the initial ones.
      if (pace.isDue) await pace.rest();
      yield await write(event);
    }
  } catch (thrown) {
    yield writeError(thrown);
  }
}

/** For forms that require decoded objects. */
function readLines(events: Watched, requested: RequestedForm, onThread?: WriteOnThread): AsyncGenerator<Uint8Array> {
  const isProtobuf = requested.media === 'application/vnd.kubernetes.protobuf';
  const { version, include } = requested.table;
  const eventForm: EventForm = { form: requested.form, isProtobuf, version, include, isFirst: true };
  const plain = formOf(requested, eventForm);
  const form = isProtobuf ? inProtobuf(plain) : plain;
  const write = (event: WatchEvent): Uint8Array | Promise<Uint8Array> => {
    const { type } = event;
    if (!onThread || type === 'BOOKMARK' || event.in(bare).length <= large) return event.in(form);
    const make = () => onThread({ type, object: event.in(bare), form: { ...eventForm } });
    return form.name === undefined ? make() : event.later(form.name, make);
  };
  return linesOf(
    events,
    async (event) => {
      const written = await write(event);
      eventForm.isFirst = false;
      return written;
    },
    (thrown) => (isProtobuf ? protobufEvent(errorLine(thrown)) : errorLine(thrown)),
  );
}

/** For objects in their stored form: the same bytes are sent to all watchers. */
function followedLines(events: Watched, form: Form): FollowedBody {
  return {
    [Symbol.asyncIterator]: () => linesOf(events, (event) => event.in(form)),
    follow(reader) {
      events.follow({
        send: (event) => reader.take(event.in(form)),
        end(error) {
          if (error) reader.take(errorLine(error));
          reader.end();
        },
      });
      return { resume: () => events.resume() };
    },
  };
}

export function watchReply(events: Watched, requested: RequestedForm, onThread?: WriteOnThread): ApiReply {
  const { form, media, table } = requested;
  switch (media) {
    case 'application/json': {
      const body =
        form === 'object' ? followedLines(events, plainForm(table.printed)) : readLines(events, requested, onThread);
      return { status: 200, headers: { 'content-type': media }, body, isWatch: true };
    }
    case 'application/vnd.kubernetes.protobuf': {
      const headers = { 'content-type': `${media};stream=watch` };
      return { status: 200, headers, body: readLines(events, requested, onThread), isWatch: true };
    }
    default:
      throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  }
}
