import { warningHeader } from '@fleet/kube/warning.ts';
import { expect, test } from 'vitest';
import { ServerWarnings, warningTexts } from './server-warnings.ts';

test('each text is printed once, however many answers bring it', () => {
  const written: string[] = [];
  const warnings = new ServerWarnings((text) => written.push(text));
  warnings.take({ warning: [warningHeader('member2 cannot be reached'), warningHeader('"quoted" \\ ü')] });
  warnings.take({ warning: warningHeader('member2 cannot be reached') });
  warnings.take({});
  expect(written).toEqual(['Warning: member2 cannot be reached\n', 'Warning: "quoted" \\ ü\n']);
});

test('several in one header, those of other codes left out', () => {
  expect(warningTexts('299 - "a, b", 199 - "no", 299 agent "c"')).toEqual(['a, b', 'c']);
  expect(warningTexts('garbage "')).toEqual([]);
});
