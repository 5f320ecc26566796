/** The wrapper that ORMs use against circular imports of entities. */
export type Relation<T> = T;
