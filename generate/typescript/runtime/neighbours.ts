import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { max } from './keys.js';

/** A text such that nothing lies between it and the one given. */
export function nextText(value: string, step: 1 | -1): string {
  if (step > 0) {
    return `${value}\u0000`;
  }
  const characters = [...value];
  const last = characters.pop();
  const code = last?.codePointAt(0) ?? 0;
  const head = characters.join('');
  if (code === 0) {
    return head;
  }
  return head + String.fromCodePoint(code === 0xe000 ? 0xd7ff : code - 1) + max;
}

/** The whole number after or before one. */
export function nextInteger(value: number, step: 1 | -1): number {
  return value + step;
}

const digitsKept = 38;
const leastPower = -130;

/** The number after or before one among those of 38 digits, which are all that DynamoDB has. */
export function nextNumber(value: number, step: 1 | -1): NumberValue {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') {
    return NumberValue.from(`${step}e${leastPower}`);
  }
  const own = Number(exponent) - fraction.length;
  const negative = sign === '-';
  const inwards = negative === step > 0;
  let power = own + digits.length - digitsKept;
  if (digits.replace(/0+$/, '') === '1' && inwards) {
    power--;
  }
  power = Math.max(power, leastPower);
  const scaled = BigInt(digits) * 10n ** BigInt(own - power);
  return NumberValue.from(`${(negative ? -scaled : scaled) + BigInt(step)}e${power}`);
}

/** The bytes after or before some; before them only as far as a key of 1024 bytes tells. */
export function nextBinary(value: Uint8Array, step: 1 | -1): Uint8Array {
  if (step > 0) {
    return Uint8Array.from([...value, 0]);
  }
  const last = value.at(-1) ?? 0;
  if (last === 0) {
    return value.slice(0, -1);
  }
  const out = new Uint8Array(1024).fill(0xff);
  out.set(value);
  out[value.length - 1] = last - 1;
  return out;
}
