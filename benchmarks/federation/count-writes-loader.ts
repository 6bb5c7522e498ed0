/** Loaded into the product: counts the writes that its embedded control plane answers, and leaves their numbers in a file. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { add, countedAs, type WriteCounts, writeOf } from './write-counts.ts';

interface Call {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
}

interface CallerClass {
  prototype: { call(call: Call): Promise<{ status: number }> };
}

const file = process.env['BENCH_WRITES_FILE'] ?? '';
const called = '/apiserver/src/http/in-process-upstream.ts';
const counts: WriteCounts = {};
let isNew = false;

/** What the bench writes itself is not counted. */
const isBench = (agent: unknown): boolean => /^(?:bench|bed)/.test(String(agent));

Object.assign(globalThis, {
  countWrites({ prototype }: CallerClass) {
    const { call: uncounted } = prototype;
    prototype.call = async function counted(call) {
      const reply = await uncounted.call(this, call);
      const write = writeOf(call.method, call.path);
      if (write && !isBench(call.headers['user-agent'])) {
        add(counts, countedAs(write, reply.status));
        isNew = true;
      }
      return reply;
    };
    setInterval(() => {
      if (!isNew) return;
      isNew = false;
      // Whoever reads it meanwhile reads all of it.
      writeFileSync(`${file}.new`, JSON.stringify(counts));
      renameSync(`${file}.new`, file);
    }, 500).unref();
  },
});

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(called)) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    return {
      format: 'module-typescript',
      source: `${source}\nglobalThis.countWrites(InProcessUpstream);\n`,
      shortCircuit: true,
    };
  },
});
