/** Numbers as plain decimal text. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** The character 0. */
const ZERO = 0x30;
const FIVE = 0x35;

/**
 * A decimal number taken apart: `-12.50` is `{negative: true, whole: '12', fraction: '50'}`; no leading zeros in
 * `whole` but a single one.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** Reads a decimal number as JSON writes it, leading zeros allowed, and resolves its exponent. */
export function readDecimal(raw: string | number | bigint): Decimal | undefined {
  const match = DECIMAL.exec(String(raw));
  if (!match) return undefined;

  const [, sign, integer = '', fraction = '', power = '0'] = match;
  // Most numbers are written as they are printed.
  if (power === '0' && sign === '' && (integer.length === 1 || integer.charCodeAt(0) !== ZERO))
    return { negative: false, whole: integer, fraction };

  const exponent = Number(power);
  const point = integer.length + exponent;
  const digits = integer + fraction;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const rest = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;

  return { negative: sign === '-' && /[1-9]/.test(digits), whole: whole.replace(/^0+(\d)/, '$1'), fraction: rest };
}

/** Rounds a decimal to some digits after the point, half away from zero, as databases do. */
export function roundDecimal(value: Decimal, scale: number): Decimal {
  const { negative, whole, fraction } = value;
  if (fraction.length <= scale) return value;

  const isUp = fraction.charCodeAt(scale) >= FIVE;
  const digits = String(BigInt(whole + fraction.slice(0, scale)) + (isUp ? 1n : 0n)).padStart(scale + 1, '0');
  const point = digits.length - scale;

  return {
    negative: negative && /[1-9]/.test(digits),
    whole: digits.slice(0, point),
    fraction: digits.slice(point),
  };
}

/** Prints a decimal in plain notation, digits as they came. */
export function printDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}
