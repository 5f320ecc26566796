/** The groups in which decorators of class-validator on a model apply. */

/**
 * `CREATE` holds for POST, bulk and PUT, `UPDATE` for PATCH (and for PUT with `merge`). Decorators on a model without
 * one of them apply in both, on PATCH to what the body carries; of classes given as `dto`, all apply.
 *
 * @example
 * `@IsOptional({ groups: [CrudValidationGroups.UPDATE] }) @IsNotEmpty({ groups: [CrudValidationGroups.CREATE] }) name: string`
 */
export enum CrudValidationGroups {
  /** POST, bulk and PUT. */
  CREATE = 'CRUD-CREATE',
  /** PATCH, and PUT with `merge`. */
  UPDATE = 'CRUD-UPDATE',
}
