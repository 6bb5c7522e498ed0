/** A watch as lines of JSON. Errors after it has begun are events, too. */

import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { notAcceptable, statusErrorOf } from '@fleet/kube/status.ts';
import { zeroObject } from '../go-json/zero-value.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { Pace } from '../registry/pace.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { readInSlices } from '../registry/read-in-slices.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import type { EventType, Form } from '../watch-cache/shared-event.ts';
import type { Watched } from '../watch-cache/watcher.ts';
import type { ApiReply, FollowedBody } from './message.ts';
import type { Wanted } from './object-forms.ts';
import { protobufEvents } from './protobuf-events.ts';
import { type IncludeObject, partialMetadata, tableHead, tableRow } from './table.ts';

const line = (type: string, object: unknown): Buffer => Buffer.from(`${JSON.stringify({ type, object })}\n`);

const parse = (object: Uint8Array): KubeObject => JSON.parse(Buffer.from(object).toString()) as KubeObject;

const endOf = (endsInitialEvents: boolean) =>
  endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};

const metadataAt = (revision: number, ends: boolean) => ({ resourceVersion: String(revision), ...endOf(ends) });

const nothing = { kind: '', apiVersion: '' };

function zeroOf(printed: PrintedKind): KubeObject {
  const type = kindType(apiVersionOf(printed), printed.kind);
  return { kind: printed.kind, apiVersion: apiVersionOf(printed), metadata: {}, ...(type ? zeroObject(type) : {}) };
}

/** The bytes of an object, put between what makes them an event: written once for all who watch. */
function plainForm(printed: PrintedKind): Form {
  return {
    name: 'object',
    event: (type, object) => Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, Buffer.from('}\n')]),
    // With the empty fields of its type, as Go writes it.
    bookmark: (revision, ends) => line('BOOKMARK', { ...zeroOf(printed), metadata: metadataAt(revision, ends) }),
  };
}

/** One for which objects are read: large ones in slices. */
interface ReadingForm extends Form {
  write(type: EventType, object: KubeObject): Buffer;
}

/** In bytes. */
const large = 32 * 1024;

const bare: Form = { name: 'bare object', event: (_, object) => object, bookmark: () => new Uint8Array() };

const writeMetadata: ReadingForm['write'] = (type, object) => line(type, partialMetadata(object));

const metadataForm: ReadingForm = {
  name: 'metadata',
  write: writeMetadata,
  event: (type, object) => writeMetadata(type, parse(object)),
  bookmark: (revision, ends) => line('BOOKMARK', partialMetadata({ ...nothing, metadata: metadataAt(revision, ends) })),
};

/** Columns come with the first event of each watch, ages are those of now: nothing is shared. */
function tableForm({ table }: Wanted): ReadingForm {
  let isFirst = true;
  const frame = (type: string, metadata: object, rows: unknown[]): Buffer => {
    const head = tableHead(metadata, table, isFirst);
    isFirst = false;
    return line(type, { ...head, rows });
  };
  const write: ReadingForm['write'] = (type, object) =>
    frame(type, { resourceVersion: object.metadata.resourceVersion }, [
      tableRow(object, { ...table, now: Date.now() }),
    ]);
  return {
    name: `table ${Math.random()}`,
    write,
    event: (type, bytes) => write(type, parse(bytes)),
    // A row of nothing carries what a bookmark says.
    bookmark: (revision, ends) => {
      const object = { ...zeroOf(table.printed), metadata: metadataAt(revision, ends) };
      return frame('BOOKMARK', { resourceVersion: String(revision) }, [
        // It says that the beginning is over, whatever else is wanted of objects.
        tableRow(object, { ...table, now: Date.now(), include: ends ? withObject(table.include) : table.include }),
      ]);
    },
  };
}

const withObject = (include: IncludeObject): IncludeObject => (include === 'None' ? 'Metadata' : include);

function formOf(wanted: Wanted): Form | ReadingForm {
  switch (wanted.form) {
    case 'Table':
      return tableForm(wanted);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return metadataForm;
    default:
      return plainForm(wanted.table.printed);
  }
}

/** Errors are events, too. */
const errorLine = (thrown: unknown): Buffer => line('ERROR', statusErrorOf(thrown).toStatus());

async function* linesOf(events: Watched, form: Form | ReadingForm): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  try {
    for await (const event of events) {
      // Many may wait, such as all that is there at the beginning.
      if (pace.isDue) await pace.rest();
      const isLarge = 'write' in form && event.type !== 'BOOKMARK' && event.in(bare).length > large;
      yield isLarge ? form.write(event.type as EventType, await readInSlices(event.in(bare))) : event.in(form);
    }
  } catch (thrown) {
    yield errorLine(thrown);
  }
}

/** For forms that read no object: what is the same for all can be told to all at once. */
const followedLines = (events: Watched, form: Form): FollowedBody => ({
  [Symbol.asyncIterator]: () => linesOf(events, form),
  follow(reader) {
    events.follow({
      tell: (told) => reader.take(told.in(form)),
      end(error) {
        if (error) reader.take(errorLine(error));
        reader.end();
      },
    });
    return { resume: () => events.resume() };
  },
});

export function watchReply(events: Watched, wanted: Wanted): ApiReply {
  const form = formOf(wanted);
  const lines = 'write' in form ? linesOf(events, form) : followedLines(events, form);
  const headers = { 'content-type': 'application/json' };
  switch (wanted.media) {
    case 'application/json':
      return { status: 200, headers, body: lines, isWatch: true };
    case 'application/vnd.kubernetes.protobuf':
      return {
        status: 200,
        headers: { 'content-type': `${wanted.media};stream=watch` },
        body: protobufEvents(lines),
        isWatch: true,
      };
    default:
      throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  }
}
