import type { PipeTransform } from '@nestjs/common';
import { type ApplicationConfig, type ContextId, ContextIdFactory, type ModulesContainer } from '@nestjs/core';
import { getOrInsert } from '../get-or-insert.js';
import type { NestModule } from './paths.js';

// Key of `@UsePipes()`, as it has been since Nest's first releases.
const PIPES = '__pipes__';

/** A pipe, or where to find the instance of a request. */
export type PipeSource =
  { readonly pipe: PipeTransform } | { readonly resolvePipe: (request: object) => PipeTransform | undefined };

type Wrapper = NestModule extends { readonly injectables: Map<unknown, infer Injectable> } ? Injectable : never;

/** The pipes of one application. */
export class HandlerPipes {
  private pipesAtStart: readonly unknown[] | undefined;
  private readonly places = new WeakMap<object, Place>();

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {}

  /**
   * Nest has read the global pipes by now, except for request-scoped controllers: pipes added later never run before
   * those handlers.
   */
  captureGlobalPipes(): void {
    this.pipesAtStart ??= this.config.getGlobalPipes();
  }

  /** The global pipes before handlers that Nest makes now, in request scope; a new list if they have changed. */
  get live(): readonly unknown[] {
    return this.config.getGlobalPipes();
  }

  /** Whether a controller is made for each request, and with it its pipes. */
  isRequestScoped(controller: object): boolean {
    return this.findPlace(controller).isRequestScoped;
  }

  /** All pipes before a handler, in the order in which they run. */
  before(controller: object, handler: object): readonly PipeSource[] {
    const place = this.findPlace(controller);
    const requestPipes = place.isRequestScoped ? this.config.getGlobalRequestPipes() : [];
    const global = place.isRequestScoped ? this.live : (this.pipesAtStart ?? this.live);
    const own = [controller, handler].flatMap((holder) => (Reflect.getMetadata(PIPES, holder) ?? []) as unknown[]);

    return [
      ...listSources(global, place),
      ...requestPipes.map((wrapper) => makeSource(wrapper, place)),
      ...listSources(own, place),
    ];
  }

  private findPlace(controller: object): Place {
    return getOrInsert(this.places, controller, () => {
      const module = [...this.modules.values()].find(({ controllers }) => controllers.has(controller as never));
      const wrapper = module?.controllers.get(controller as never);

      return { module, inquirer: wrapper?.id, isRequestScoped: wrapper?.isDependencyTreeStatic() === false };
    });
  }
}

interface Place {
  readonly module: NestModule | undefined;
  /** Id of the controller, for pipes that each user has for itself. */
  readonly inquirer: string | undefined;
  /** Whether the controller is made for each request. */
  readonly isRequestScoped: boolean;
}

function listSources(pipes: readonly unknown[], place: Place): PipeSource[] {
  return pipes.flatMap((pipe): PipeSource[] => {
    const wrapper = place.module?.injectables.get(pipe as never);
    if (wrapper) return [makeSource(wrapper, place)];

    return isPipe(pipe) ? [{ pipe }] : [];
  });
}

function makeSource(wrapper: Wrapper, { inquirer, isRequestScoped }: Place): PipeSource {
  const instance: unknown = wrapper.instance;
  if (isPipe(instance) && (!isRequestScoped || (wrapper.isDependencyTreeStatic() && !wrapper.isTransient)))
    return { pipe: instance };

  return {
    resolvePipe: (request) => {
      const context = pickContext(ContextIdFactory.getByRequest(request), wrapper);
      const made: unknown = wrapper.getInstanceByContextId(context, inquirer).instance;

      return isPipe(made) ? made : undefined;
    },
  };
}

// An instance may be durable: kept for a tenant, not for a request.
function pickContext(context: ContextId, wrapper: Wrapper): ContextId {
  const { token } = wrapper;
  const isTreeDurable = !wrapper.isTransient && wrapper.isDependencyTreeDurable();

  return context.getParent ? context.getParent({ token, isTreeDurable }) : context;
}

function isPipe(value: unknown): value is PipeTransform {
  return typeof (value as Partial<PipeTransform> | null | undefined)?.transform === 'function';
}
