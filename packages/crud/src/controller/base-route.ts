import type { RequestMethod } from '@nestjs/common';
import type { BaseRouteName } from '../routes/route-table.js';

/** One route, as a factory works with it. */
export interface BaseRoute {
  /** Name of the generated handler. */
  name: BaseRouteName;
  /** Path below the controller's: what follows the primary parameters if `withParams` is set. */
  path: string;
  /** HTTP method. */
  method: RequestMethod;
  /** Whether the route exists. */
  enable: boolean;
  /** Whether a method of the controller replaces the generated one. */
  override: boolean;
  /** Whether the path begins with the primary parameters. */
  withParams: boolean;
}
