/** The application of these suites: accounts, whose service books an entry for each that it opens, in one transaction. */
import { ConflictException } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { Column, DataSource, DeleteDateColumn, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';
import { TypeOrmCrudService } from '../../src/index.js';

@Entity('within_accounts')
export class Account {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 100, unique: true }) email!: string;
  @Column({ length: 100, default: '' }) holder!: string;
  @DeleteDateColumn() closedAt!: Date | null;
}

@Entity('within_entries')
export class Entry {
  @PrimaryGeneratedColumn() id!: number;
  @Column() accountId!: number;
  @Column({ length: 100 }) text!: string;
}

export class EntriesService extends TypeOrmCrudService<Entry> {}

export const BEGINS = ['manager', 'data source'] as const;

export class AccountsService extends TypeOrmCrudService<Account> {
  opened = 0;
  begin: (typeof BEGINS)[number] = 'manager';

  constructor(
    private readonly accounts: Repository<Account>,
    private readonly dataSource: DataSource,
    private readonly entries: EntriesService,
    /** What an application injects beside what is TypeORM's. */
    readonly mailer: { readonly sent: string[] },
  ) {
    super(accounts);
  }

  /** Opens an account with an entry in its book; accounts of nobody are refused when both are stored. */
  override async createOne(request: CrudRequest, dto: Partial<Account>): Promise<Account> {
    const { manager } = this.begin === 'manager' ? this.repo : this.dataSource;
    return manager.transaction(async (inner) => {
      const joined = this.within(inner);
      const account = await super.createOne.call(joined, request, dto);
      await joined.entries.createOne(bare(), { accountId: account.id, text: `opened for ${account.holder}` });
      await joined.accounts.update(account.id, { holder: account.holder.trim() });
      if (account.holder === 'nobody') throw new ConflictException('An account must have a holder');
      return Object.assign(account, { holder: account.holder.trim() });
    });
  }

  override async createMany(request: CrudRequest, dto: { bulk: (Account | Partial<Account>)[] }): Promise<Account[]> {
    const stored = await super.createMany(request, dto);
    this.opened += stored.length;
    this.mailer.sent.push(...stored.map(({ email }) => email));
    return stored;
  }

  protected override prepareEntityBeforeSave(dto: Partial<Account>, parsed: ParsedRequestParams): Account | undefined {
    const account = super.prepareEntityBeforeSave(dto, parsed);
    return account && Object.assign(account, { email: account.email.toLowerCase() });
  }
}

/** A request as from a handler's: a path's key, where there is one. */
export function bare(id?: number, parsed: Partial<ParsedRequestParams> = {}): CrudRequest {
  const paramsFilter = id === undefined ? [] : [{ field: 'id', operator: '$eq' as const, value: id }];
  const search = id === undefined ? {} : { id };
  return {
    parsed: { paramsFilter, search, fields: [], join: [], sort: [], filter: [], or: [], ...parsed } as never,
    options: {
      query: { softDelete: true },
      routes: { deleteOneBase: { returnDeleted: true }, recoverOneBase: { returnRecovered: true } },
      params: { id: { field: 'id', type: 'number', primary: true } },
    },
  };
}

export function servicesOf(source: DataSource) {
  const entries = new EntriesService(source.getRepository(Entry));
  const mailer = { sent: [] };
  const accounts = new AccountsService(source.getRepository(Account), source, entries, mailer);
  return { accounts, entries, mailer };
}
