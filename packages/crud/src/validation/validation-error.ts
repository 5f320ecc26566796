/** What class-validator found in a body in, the exception of the response out: Nest's texts, each beginning with the property's path, and the library's code and field. */
import { type HttpException, ValidationPipe, type ValidationError, type ValidationPipeOptions } from '@nestjs/common';
import { speakable } from '@nestwright/crud-request';

/** Makes exceptions the way Nest's ValidationPipe does with the same options; an `exceptionFactory` of the application has the last word. */
export function exceptionFactoryOf(options: ValidationPipeOptions): (errors: ValidationError[]) => unknown {
  if (options.exceptionFactory) return options.exceptionFactory;

  // Made when first needed: where class-validator is not installed, Nest's pipe cannot be.
  let create: ((errors: ValidationError[]) => HttpException) | undefined;

  return (errors) => {
    create ??= nestFactoryOf(options);
    const sayable = errors.map(withoutForeignNames);
    const exception = create(sayable);
    const response = exception.getResponse();
    const field = options.disableErrorMessages ? undefined : firstField(sayable);

    if (typeof response === 'object') Object.assign(response, { code: 'CRUD_INVALID_BODY', ...(field && { field }) });

    return exception;
  };
}

function nestFactoryOf(options: ValidationPipeOptions): (errors: ValidationError[]) => HttpException {
  const { validatorPackage: _validator, transformerPackage: _transformer, ...rest } = options;

  return new ValidationPipe(rest).createExceptionFactory() as (errors: ValidationError[]) => HttpException;
}

/** Constraint of a property that the class does not know: the one place where a name of the client's own making stands. */
const WHITELIST = 'whitelistValidation';

// Such a name is repeated only where it is plainly a name, since an answer must not carry an attack back.
function withoutForeignNames(error: ValidationError): ValidationError {
  const { property, constraints, children } = error;
  const isForeign = constraints?.[WHITELIST] !== undefined && speakable(property) === undefined;

  return {
    ...error,
    ...(children && { children: children.map(withoutForeignNames) }),
    ...(isForeign && { property: '', constraints: { ...constraints, [WHITELIST]: 'property should not exist' } }),
  };
}

// The first property that breaks a rule itself, rather than by what is nested in it; of one without a name, the object that it stands in.
function firstField(errors: readonly ValidationError[], parent?: string): string | undefined {
  for (const { property, constraints, children } of errors) {
    const path = [parent, property].filter(Boolean).join('.');
    const field = constraints ? path : firstField(children ?? [], path);
    if (field) return field;
  }

  return undefined;
}
