import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageLimits } from '../engine.ts';
import { SqliteEngine } from '../sqlite/sqlite-engine.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { text } from '../testing/writing.ts';
import { MemoryEngine } from './memory-engine.ts';

describe('the engine in memory', () => {
  it('answers as SQLite does, whatever was written and asked', () => {
    const key = fc.constantFrom('/x/a', '/x/b', '/x/é', '/x/\u{1F600}', '/y/a');
    const step = fc.oneof(
      fc.record({ is: fc.constant('write' as const), key, removes: fc.boolean() }),
      fc.record({
        is: fc.constant('range' as const),
        prefix: fc.constantFrom('', '/x/', '/y/', '/z'),
        after: fc.constantFrom('', '/x/a', '/x/b', '/x/zz'),
        limit: fc.constantFrom(undefined, 1, 2, 10),
        back: fc.nat(6),
      }),
      fc.record({
        is: fc.constant('changes' as const),
        prefix: fc.constantFrom('', '/x/'),
        back: fc.nat(6),
        limits: fc.record({ events: fc.constantFrom(1, 2, 10), bytes: fc.constantFrom(1, 3, 100) }),
      }),
      fc.record({ is: fc.constant('compact' as const), back: fc.nat(6) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        using disk = new SqliteEngine({ directory: temporaryDirectory() });
        using memory = new MemoryEngine();
        for (const [index, one] of steps.entries()) {
          const both = [disk, memory].map((engine) => outcomeOf(engine, one, index));
          expect(both[1]).toEqual(both[0]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('history is bounded by bytes', () => {
    const engine = new MemoryEngine({ historyLimit: 10_000 });
    const value = new Uint8Array(1_000);
    let { revision } = engine.commit([{ op: 'create', key: '/a', value }]).outcomes[0] as { revision: number };
    while (engine.excess === undefined && revision < 100)
      revision = engine.commit([{ op: 'update', key: '/a', value, ifRevision: revision }]).to;
    expect(revision).toBeLessThan(20);
    engine.compact(engine.excess!);
    expect(engine.excess).toBeUndefined();
    expect(() => engine.range({ prefix: '', revision: 2 })).toThrow('compacted');
  });

  it('does not keep the memory beside a value', () => {
    const engine = new MemoryEngine();
    engine.commit([{ op: 'create', key: '/a', value: new Uint8Array(10_000).subarray(10, 20) }]);
    expect(engine.get('/a')!.value.buffer.byteLength).toBe(10);
  });
});

type Step =
  | { is: 'write'; key: string; removes: boolean }
  | { is: 'range'; prefix: string; after: string; limit: number | undefined; back: number }
  | { is: 'changes'; prefix: string; back: number; limits: PageLimits }
  | { is: 'compact'; back: number };

/** The result of a step, errors included, as plain values. */
function outcomeOf(engine: SqliteEngine | MemoryEngine, step: Step, index: number): unknown {
  try {
    return JSON.stringify(resultOf(engine, step, index), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
  } catch (error) {
    return (error as Error).message;
  }
}

function resultOf(engine: SqliteEngine | MemoryEngine, step: Step, index: number): unknown {
  switch (step.is) {
    case 'write': {
      const standing = engine.get(step.key);
      if (!standing) return engine.commit([{ op: 'create', key: step.key, value: text(`${index}`) }]);
      const at = { key: step.key, ifRevision: standing.revision };
      return engine.commit([step.removes ? { op: 'delete', ...at } : { op: 'update', value: text(`${index}`), ...at }]);
    }
    case 'range': {
      const revision = engine.revision - step.back;
      const range = engine.range({ prefix: step.prefix, after: step.after, limit: step.limit, revision, count: true });
      return { ...range, entries: range.entries.map((entry) => [entry.key, entry.revision, entry.value]) };
    }
    case 'changes': {
      const { events, revision } = engine.changes(step.prefix, engine.revision - step.back, step.limits);
      return { revision, events: events.map((event) => [event.key, event.revision, event.value, event.previous]) };
    }
    case 'compact':
      engine.compact(engine.revision - step.back);
      while (engine.sweep());
      return engine.revision;
  }
}
