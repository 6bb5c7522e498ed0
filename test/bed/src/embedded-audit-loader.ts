/** Loaded into a product under test: each call of its embedded control plane is a line on disk before its answer goes out. */

import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventOf } from './embedded-audit-event.ts';

interface Call {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body?: Buffer | Readable | undefined;
}

interface CallerClass {
  prototype: { call(call: Call): Promise<{ status: number }> };
}

const log = process.env['FLEET_BED_EMBEDDED_AUDIT'] ?? '';
const called = '/apiserver/src/http/in-process-upstream.ts';

Object.assign(globalThis, {
  auditEmbedded({ prototype }: CallerClass) {
    const { call: unaudited } = prototype;
    prototype.call = async function audited(call) {
      const begun = new Date();
      // Kept, so that it can be read twice.
      const body = call.body instanceof Readable ? await buffer(call.body) : call.body;
      const reply = await unaudited.call(this, { ...call, body });
      const event = eventOf({ ...call, body, auditID: randomUUID(), code: reply.status, begun, ended: new Date() });
      appendFileSync(log, `${JSON.stringify(event)}\n`);
      return reply;
    };
  },
});

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(called)) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    return {
      format: 'module-typescript',
      source: `${source}\nglobalThis.auditEmbedded(InProcessUpstream);\n`,
      shortCircuit: true,
    };
  },
});
