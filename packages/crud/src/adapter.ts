/**
 * What an adapter needs to answer the verbs of a resource from a database; applications import from `@nestwright/crud`.
 */
import 'reflect-metadata';

// The resource, and the keys under which a service has its catalog and its checks.
export { CATALOG, CHECK_START } from './constants.js';
export { classOfModel } from './definition/model-class.js';
export { notAModel } from './definition/wording.js';
export { definitionOf } from './definition/resource-definition.js';
export type { ResourceDefinition, ResourceOptions } from './definition/resource-definition.js';
export { manyOptions, type ManyRoute, writesByCondition } from './definition/route-behaviour.js';
export type { EvaluatedAuth } from './evaluate-auth.js';
export { noteVerbs, type Verb } from './service/run-verb.js';
export { type ChangeEmitter, emitChanges, emitterOf } from './service/change.js';
export { outerTransactions } from './service/change.js';

// The entity's catalog, and plans over it.
export { describeColumn } from './plan/catalog.js';
export type {
  Catalog,
  CatalogColumn,
  CatalogReference,
  CatalogRelation,
  ColumnForm,
  ColumnKind,
  ColumnSource,
  RecordClass,
  RelationKind,
} from './plan/catalog.js';
export type {
  PlannedComparison,
  PlannedCondition,
  PlannedCustom,
  PlannedSlice,
  PlannedSort,
  PlannedSource,
  ReadPlan,
  ResolvedColumn,
} from './plan/read-plan.js';
export type {
  PlannedCascade,
  PlannedCascadeItem,
  PlannedKey,
  PlannedLinks,
  PlannedUnlink,
  PlannedValue,
  WriteMode,
  WritePlan,
} from './plan/write-plan.js';
export { type PagingOverride, planKnown, planRead, planRecord, planRecords, planScope, scopeOf } from './plan/read.js';
export { planAggregate } from './aggregate/plan.js';
export {
  type AggregatePlan,
  type OutputKind,
  outputKind,
  type PlannedFunction,
  type PlannedGroup,
  type PlannedHaving,
  type PlannedOutput,
  type PlannedRowOrder,
} from './aggregate/plan.js';
export { aggregatedFields, aggregatedPlace } from './aggregate/options.js';
export { type Cursor, type CursorPlan, invalidCursor, planCursor, planFrom } from './plan/cursor.js';
export { catalogFor, forApplication, optionsOf } from './plan/changed-options.js';
export { planReach, type ReachQuestion } from './plan/read.js';
export { outOfScope } from './plan/refusal.js';
export { isOwnEntity, type RelationScopes, relationScopes } from './plan/relation-scope.js';
export { DEFAULT_VALUE, planWrite, type WriteOptions } from './plan/write.js';
export { applyScope, type BodyScope, bodyScope, copyOf } from './plan/body-scope.js';
export { isUnassignedKey } from './plan/write-context.js';
export { readPersistedKey } from './plan/nested-scope.js';
export { type ItemKey, itemKeyFields, readItemKeys, requestOfItem } from './plan/item-keys.js';
export { project } from './plan/projection.js';
export { unreadColumns, unreadColumnsOf } from './plan/column-access.js';
export { readValue } from './plan/values.js';
export { isShownByClass } from './visibility/path-states.js';

// JSON text in place of records.
export { type JsonList, jsonList } from './response/result.js';
export { JsonText } from './response/result.js';
export { type CrudResult, NeedsRecords, reportFastPath, type ResultText } from './response/result.js';
export { RESULT, type ResultService } from './service/run-verb.js';

// Lists that are sent while they are read.
export { EXPORT, type ExportingService } from './service/run-verb.js';
export { type ExportCells, type ExportPart, type ExportReader, ListExport } from './response/result.js';
export { DEFAULT_CONCURRENT, refuseLong } from './export/export-stream.js';
export { nextTurn } from './time-slices.js';
export { jsonProperty, type JsonRules, jsonRulesOf } from './serialization/serialize.js';

// Errors, the state of a request, and whether its client still waits.
export { crudError, type CrudErrorDetails, ERRORS } from './errors.js';
export { clientOf, refuseGone, refuseLeaving } from './response/request-state.js';
export { outcomeOf, reportOutcome } from './response/request-state.js';
export type { Client, Outcome } from './response/request-state.js';
export { type AnsweredPage, cursorLinks, numberedLinks, type PageLinks } from './response/page-links.js';
export { isConditional, requirePreconditions, rowTagOf } from './conditional/entity-tag.js';
export { FAST_PATHS, type FastPaths } from './fast-paths.js';
export { mapInSlices } from './time-slices.js';
export { getOrInsert } from './get-or-insert.js';
export { isWatched, publish } from './diagnostics.js';

// The verbs of a service over a store.
export { HookedService, READS_BY_HOOK } from './store/hooked.service.js';
export { makeReadOptions, planOne, planPage, withoutReturnedJoins } from './store/pages.js';
export { hasTag, reportLinks } from './store/reads.js';
export { requireSole } from './store/refusals.js';
export type {
  AggregateRows,
  Edges,
  Key,
  ReadOptions,
  ReadUse,
  Rows,
  Stored,
  StoreHooks,
  Upsert,
  UpsertItem,
  Upserted,
  Write,
  WriteContext,
  WriteHooks,
  WriteItem,
  Written,
} from './store/store.js';
export { STORE, Store } from './store/store.js';
export { JOINED, LIBRARY, StoreService } from './store/store.service.js';
export { emptyPlan } from './store/bodies.js';
export { givenNames, keyToCreate, planWithKey, readPathKey, requireUnnamed } from './store/written-keys.js';
