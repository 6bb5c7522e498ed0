/** Each result and error is kubectl's for the same object (`kubectl label --local -f … -o jsonpath=…`), but for the words of some errors. */

import { describe, expect, test } from 'vitest';
import { parseExactly } from '../go-text.ts';
import { evaluate } from './evaluate.ts';
import { parseTemplate } from './template.ts';

const object = parseExactly(`{
  "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "labels": {"a.b/c": "d", "q": "<&>"}},
  "data": {"k": "v"}, "list": [{"n": 1, "t": "a", "ok": true}, {"n": 2, "t": "b", "nul": null}, {"n": 3, "t": "c"}],
  "big": 9007199254740993, "f": 1000000.5, "nul": null, "strs": ["x", "y"], "empty": []
}`);

const printed = (template: string): string => evaluate(parseTemplate(template), object);

describe('what a template prints', () => {
  test.each([
    ['{.}', ''],
    ['{@.kind}{$.kind}{ .kind }', 'ConfigMapConfigMapConfigMap'],
    ['{.list[*].n}', '1 2 3'],
    ['{.list[0,2].t}', 'a c'],
    ['{.list[-1:].t}', 'c'],
    ['{.list[-1].t}', 'c'],
    ['{.list[::2].t}', 'a c'],
    ['{.list[1:].t}', 'b c'],
    ['{.list[:1].t}', 'a'],
    ['{.list[0:0].t}', ''],
    ["{.metadata.labels['a\\.b/c']}", 'd'],
    ['{.metadata.labels.a\\.b/c}', 'd'],
    ["{.metadata['name','labels']}", 'x {"a.b/c":"d","q":"\\u003c\\u0026\\u003e"}'],
    ['{range .list[*]}{.t}={.n}{"\\n"}{end}', 'a=1\nb=2\nc=3\n'],
    ['{range .list[*]}{.t}{.ok}{.nul};{end}rest', 'atrue;bnull;c;rest'],
    ['{range .list[*]}{range @.t}{@}{end},{end}', 'a,b,c,'],
    ['{range .list[*]}{.t}', 'abc'],
    ['{range .empty[*]}x{end}y', 'y'],
    ['{.nul}', 'null'],
    ['{.big}', '9007199254740993'],
    ['{.f}', '1.0000005e+06'],
    ['{.list[?(@.n==2)].t}', 'b'],
    ['{.list[?(@.n!=2)].t}', 'a c'],
    ['{.list[?(@.n > 1)].t}', 'b c'],
    ['{.list[?(@.n<=2)].t}', 'a b'],
    ['{.list[?(@.t=="a")].n}', '1'],
    ["{.list[?(@.t=='a')].n}", '1'],
    ['{.list[?(@.t=="a)")].n}', ''],
    ['{.list[?(@.ok)].t}', 'a'],
    ['{.list[?(@.ok==true)].t}', 'a'],
    ['{.list[?(@.x=="a")]}', ''],
    ['{..t}', 'a b c'],
    ['{..name}', 'x'],
    ['{.metadata..q}', '<&>'],
    ['{.data.*}', 'v'],
    ['{.list[1:]}', '{"n":2,"nul":null,"t":"b"} {"n":3,"t":"c"}'],
    ['{.empty}{.empty[*]}', '[]'],
    ['{.nope}{.nope.x[0]}{.kind.x}', ''],
    ['hello {.kind} there', 'hello ConfigMap there'],
    ['{.kind} {"a"}{\'b\'}', 'ConfigMap ab'],
    ['{"a\\tb\\"c"}', 'a\tb"c'],
    ['{.strs[*]}', 'x y'],
    ['{.kind .metadata}', ''],
    ['{1} {true}', '1 true'],
    ['.kind', '.kind'],
    ['{.kind}}', 'ConfigMap}'],
    // Of its own, not of every JavaScript object.
    ['{.constructor}{.metadata.labels.toString}', ''],
  ])('%s', (template, text) => expect(printed(template)).toBe(text));
});

describe('what fails', () => {
  test.each([
    ['{.list[5].t}', 'array index out of bounds: index 5, length 3'],
    ['{.list[0:9].t}', 'array index out of bounds: index 8, length 3'],
    ['{.empty[0]}', 'array index out of bounds: index 0, length 0'],
    ['{.list[2:1].t}', 'starting index 2 is greater than ending index 1'],
    ['{.list[0:2:0].t}', 'step must be > 0'],
    ['{.list[?(@.n<"a")].t}', 'incompatible types for comparison'],
    ['{.kind[0]}', '"ConfigMap" is not an array'],
    ['{.data[*]}', 'an object is not an array'],
    ['{end}', 'not in range, nothing to end'],
    ['{foo}', 'unrecognized identifier foo'],
    ['{.kind', 'unclosed action'],
    ['{.list[a]}', 'invalid array index a'],
    ['{.list[ 0 ].t}', 'invalid array index  0 '],
    ['{.list[0}', 'unterminated array'],
    ['{.list[?(@.n==1}', 'unterminated filter'],
    ['{.list[?(@.n==1)}', 'unclosed array expect ]'],
    ['{.list[*]["n"]}', 'invalid array index "n"'],
    ['{"a}', 'unterminated quoted string'],
    ['{#}', 'unrecognized character in action: #'],
    ['{....a}', 'invalid multiple recursive descent'],
  ])('%s', (template, message) => expect(() => printed(template)).toThrow(message));
});
