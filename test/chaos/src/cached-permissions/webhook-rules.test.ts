import { Random } from '@fleet/differential/random.ts';
import { expect, it } from 'vitest';
import { allQuestions, keyOf } from './questions.ts';
import { opinionAbout, ruleCount, webhookRule } from './webhook-rules.ts';

it('IMP-3: what is allowed without the selector is allowed with it', () => {
  const random = new Random('1');
  const selected = new Map(allQuestions.filter((one) => one.isSelected).map((one) => [keyOf(one), one]));
  for (let turn = 0; turn < 200; turn++) {
    const rules = Array.from({ length: ruleCount }, () => webhookRule(random));
    for (const plain of allQuestions) {
      const narrower = selected.get(keyOf({ ...plain, isSelected: true }));
      if (plain.isSelected || !narrower || opinionAbout(rules, plain) !== 'allow') continue;
      expect(opinionAbout(rules, narrower)).toBe('allow');
    }
  }
});
