/**
 * The exception of an invalid body: Nest's texts, each nested one beginning with its whole path, and the library's code
 * and field.
 */
import { type HttpException, ValidationPipe, type ValidationError, type ValidationPipeOptions } from '@nestjs/common';
import { speakable } from '@nestwright/crud-request';
import { KINDS } from './applicable-rules.js';

/**
 * Makes exceptions the way Nest's ValidationPipe does with the same options; an `exceptionFactory` of the application
 * wins.
 */
export function makeExceptionFactory(options: ValidationPipeOptions): (errors: ValidationError[]) => unknown {
  if (options.exceptionFactory) return options.exceptionFactory;

  let create: ((errors: ValidationError[]) => HttpException) | undefined;

  return (errors) => {
    create ??= makeNestFactory(options);
    const safeErrors = errors.map(withoutForeignNames);
    const exception = create(safeErrors.flatMap((error) => flattened(error)));
    const response = exception.getResponse();
    const field = options.disableErrorMessages ? undefined : firstField(safeErrors);

    if (typeof response === 'object') Object.assign(response, { code: 'CRUD_INVALID_BODY', ...(field && { field }) });

    return exception;
  };
}

function makeNestFactory(options: ValidationPipeOptions): (errors: ValidationError[]) => HttpException {
  const { validatorPackage: _validator, transformerPackage: _transformer, ...rest } = options;

  return new ValidationPipe(rest).createExceptionFactory() as (errors: ValidationError[]) => HttpException;
}

// Nest puts the path of the object before a nested text, wherever that names its property; here the path of the
// property comes first.
function flattened({ property, constraints, children, ...error }: ValidationError, parent?: string): ValidationError[] {
  const path = [parent, property].filter(Boolean).join('.');
  const texts = Object.entries(constraints ?? {}).map(([rule, text]) => [
    rule,
    parent === undefined ? text : placeText(path, text),
  ]);
  const own: ValidationError = { ...error, property: path, constraints: Object.fromEntries(texts) as Constraints };

  return [...(texts.length > 0 ? [own] : []), ...(children ?? []).flatMap((child) => flattened(child, path))];
}

type Constraints = NonNullable<ValidationError['constraints']>;

/** How class-validator's and Nest's own texts name their property, and what is left of them behind its path. */
const OPENINGS: readonly { readonly before: string; readonly instead: string }[] = [
  { before: '', instead: '' },
  { before: 'each value in ', instead: 'each value ' },
  { before: 'property ', instead: '' },
  { before: 'nested property ', instead: '' },
  { before: 'each value in nested property ', instead: 'each value ' },
];

function placeText(path: string, text: string): string {
  // For an item that is no object, the text names its list.
  for (const name of path.split('.').slice(-2).reverse()) {
    for (const { before, instead } of OPENINGS) {
      const opening = `${before}${name} `;
      if (text.startsWith(opening)) return `${path} ${instead}${text.slice(opening.length)}`;
    }
  }

  return [path, text].filter(Boolean).join(' ');
}

// Only the error of an unknown property has a name that the client chose. It is repeated only if it is a plain
// identifier, so that answers cannot reflect an attack.
function withoutForeignNames(error: ValidationError): ValidationError {
  const { property, constraints, children } = error;
  const isForeign = constraints?.[KINDS.allowed] !== undefined && speakable(property) === undefined;

  return {
    ...error,
    ...(children && { children: children.map(withoutForeignNames) }),
    ...(isForeign && { property: '', constraints: { ...constraints, [KINDS.allowed]: 'property should not exist' } }),
  };
}

// The first property that breaks a rule itself, rather than by what is nested in it; for one without a name, the object
// around it.
function firstField(errors: readonly ValidationError[], parent?: string): string | undefined {
  for (const { property, constraints, children } of errors) {
    const path = [parent, property].filter(Boolean).join('.');
    const field = constraints ? path : firstField(children ?? [], path);
    if (field) return field;
  }

  return undefined;
}
