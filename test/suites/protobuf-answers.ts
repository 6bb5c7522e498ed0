/** A process of its own, so that it can carry a mutant: bodies as hex, one a line, to answers as JSON, one a line. */

import { text } from 'node:stream/consumers';
import { jsonOfProtobuf } from '@fleet/kube/protobuf/json-of-protobuf.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Answer } from './src/protobuf-sample.ts';

function answerTo(body: Buffer): Answer {
  try {
    return { json: jsonOfProtobuf(body).toString() };
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    return { error: error.message };
  }
}

const bodies = (await text(process.stdin)).trimEnd().split('\n');
process.stdout.write(bodies.map((hex) => JSON.stringify(answerTo(Buffer.from(hex, 'hex')))).join('\n'));
