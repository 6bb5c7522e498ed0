import { describe, expect, it } from 'vitest';
import { watchedEvents } from './watched-events.ts';

const event = (type: string, object: object) => JSON.stringify({ type, object });
const table = (columnDefinitions: object[] | null, name: string) => ({
  kind: 'Table',
  columnDefinitions,
  rows: [name],
});
const columns = [{ name: 'Name', description: '$& and $1' }];

describe('what both sides of a watch must send alike', () => {
  it('is no bookmark that comes by the clock', () => {
    const end = { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } };
    const lines = [event('BOOKMARK', {}), event('ADDED', { a: 1 }), event('BOOKMARK', end), event('BOOKMARK', {})];
    expect(watchedEvents(lines)).toEqual([lines[1], lines[2]]);
  });

  it('has the columns with the first event, though a bookmark brought them', () => {
    const [first, second] = [table(null, 'a'), table(null, 'b')];
    const lines = [event('BOOKMARK', table(columns, '')), event('ADDED', first), event('ADDED', second)];
    expect(watchedEvents(lines)).toEqual([event('ADDED', table(columns, 'a')), lines[2]]);
    expect(watchedEvents([event('BOOKMARK', table(null, '')), lines[1]!])).toEqual([lines[1]]);
  });
});
