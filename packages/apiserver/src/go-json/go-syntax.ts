/** What Go says of a text that is no JSON. */

export function goSyntaxFault(message: string, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (message.startsWith('Unexpected end') || Number(position) === text.length) return 'unexpected end of JSON input';
  const [, token] = /^Unexpected token '(.)'/su.exec(message) ?? [];
  return token ? `invalid character '${token}' looking for beginning of value` : message;
}
