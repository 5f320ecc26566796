/** How operations and schemas are named in OpenAPI documents. */

/** How operations and schemas are named in OpenAPI documents. */
export interface OpenApiNaming {
  /**
   * Ids of operations: `long` is `getManyBaseUsersControllerUser`, `short` is `getManyUsers`. An `operationId` of `@ApiOperation()` stays in any case.
   * Default: what the document's `operationIdFactory` makes, else `long`.
   *
   * @throws While the document is made, where two operations would have the same short id.
   */
  operationIds?: 'long' | 'short';
  /** Names of schemas that are no classes of the application: `long` is `GetManyUserResponseDto`, `CreateUserBodyDto`, `short` is `UserPage`, `CreateUser`. Default: `long`. */
  schemas?: 'long' | 'short';
}

/** How one resource is named in OpenAPI documents. */
export interface OpenApiOptions extends OpenApiNaming {
  /** One record, in short names: `Person` for `getOnePerson`. Default: the name of the model. */
  singular?: string;
  /** Several records, in short names: `People` for `getManyPeople`. Default: the regular English plural of `singular`. */
  plural?: string;
}
