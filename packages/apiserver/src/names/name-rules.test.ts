import { describe, expect, it } from 'vitest';
import {
  asPrefix,
  dnsLabelFaults,
  dnsSubdomainFaults,
  labelKeyFaults,
  labelValueFaults,
  pathSegmentFaults,
} from './name-rules.ts';

describe('names in the words of kube-apiserver', () => {
  it.each([
    [dnsSubdomainFaults, ['a', 'a.b-c.9']],
    [dnsLabelFaults, ['a', 'kube-system', '9']],
    [labelKeyFaults, ['a', 'A_b.c', 'example.com/A']],
    [labelValueFaults, ['', 'A', 'a_B.c']],
    [pathSegmentFaults, ['a:b', '...']],
  ])('%o takes %j', (rule, names) => {
    expect(names.flatMap(rule)).toEqual([]);
  });

  it.each([
    [dnsLabelFaults, 'a.b', ['must not contain dots']],
    [
      dnsLabelFaults,
      'A',
      [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      dnsSubdomainFaults,
      '-a',
      [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [dnsSubdomainFaults, 'a'.repeat(254), ['must be no more than 253 characters']],
    [labelValueFaults, 'a'.repeat(64), ['must be no more than 63 bytes']],
    [
      labelKeyFaults,
      '*bar',
      [
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
    [pathSegmentFaults, '..', ["may not be '..'"]],
    [pathSegmentFaults, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  ])('%o refuses %j', (rule, name, faults) => {
    expect(rule(name)).toEqual(faults);
  });

  it('a name that something is appended to may end in a dash', () => {
    expect(dnsLabelFaults(asPrefix('web-'))).toEqual([]);
    expect(dnsLabelFaults(asPrefix('-'))).not.toEqual([]);
  });
});
