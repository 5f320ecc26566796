/** The functions of `@nestjsx/util`, which has no successor: each as one line of the file that used it. */

interface UtilFunction {
  /** Type of its parameters, by which a TypeScript file declares them. */
  readonly parameters: readonly [name: string, type: string][];
  readonly result: string;
  readonly body: string;
}

const NUMERIC = String.raw`/^[+-]?(\d*\.)?\d+$/`;
const DATE = String.raw`/^\d{4}-[01]\d-[0-3]\d(T[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?(Z|[-+][0-2]\d(:?[0-5]\d)?)?)?$/`;
const IS_VALUE =
  "(typeof each === 'string' && each !== '') || Number.isFinite(each) || typeof each === 'boolean' || each " +
  'instanceof Date';

const check = (body: string, type = 'unknown'): UtilFunction => ({
  parameters: [['value', type]],
  result: 'boolean',
  body,
});

export const UTIL_FUNCTIONS: Readonly<Record<string, UtilFunction>> = {
  isUndefined: check('value === undefined'),
  isNull: check('value === null'),
  isNil: check('value === undefined || value === null'),
  isString: check("typeof value === 'string'"),
  hasLength: check('value.length > 0', 'any'),
  isStringFull: check("typeof value === 'string' && value !== ''"),
  isArrayFull: check('Array.isArray(value) && value.length > 0'),
  isArrayStrings: check(
    "Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== '')",
  ),
  isObject: check("typeof value === 'object' && value !== null"),
  isObjectFull: check("typeof value === 'object' && value !== null && Object.keys(value).length > 0"),
  isNumber: check('Number.isFinite(value)'),
  isEqual: {
    parameters: [
      ['value', 'unknown'],
      ['other', 'unknown'],
    ],
    result: 'boolean',
    body: 'value === other',
  },
  isFalse: check('value === false'),
  isTrue: check('value === true'),
  isIn: {
    parameters: [
      ['value', 'unknown'],
      ['list', 'readonly unknown[] = []'],
    ],
    result: 'boolean',
    // Not includes(), which finds NaN.
    body: 'list.indexOf(value) !== -1',
  },
  isBoolean: check("typeof value === 'boolean'"),
  isNumeric: check(`${NUMERIC}.test(String(value))`),
  isDateString: check(`typeof value === 'string' && ${DATE}.test(value)`),
  isDate: { ...check('value instanceof Date'), result: 'value is Date' },
  isValue: check(IS_VALUE.replaceAll('each', 'value')),
  hasValue: check(
    `Array.isArray(value) && value.length > 0 ? value.every((each) => ${IS_VALUE}) : ` +
      `${IS_VALUE.replaceAll('each', 'value')}`,
  ),
  isFunction: check("typeof value === 'function'"),
  objKeys: { ...check('Object.keys(value)', 'any'), result: 'string[]' },
  getOwnPropNames: { ...check('Object.getOwnPropertyNames(value)', 'any'), result: 'string[]' },
};

/** A function as a line of code, under the name by which a file knows it. */
export function printFunction(name: string, own: string, isTyped: boolean): string {
  const { parameters, result, body } = UTIL_FUNCTIONS[name]!;
  const written = parameters.map(([parameter, type]) => {
    const [plain, initial] = type.split(' = ');
    const declared = isTyped ? `${parameter}: ${plain}` : parameter;
    return initial === undefined ? declared : `${declared} = ${initial}`;
  });

  return `const ${own} = (${written.join(', ')})${isTyped ? `: ${result}` : ''} => ${body};`;
}
