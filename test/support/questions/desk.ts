/** A help desk with names that need quotes and words that SQL keeps for itself; Spanish comments on English names. */
import { columns, dice, type Row, type TableOf } from './schema';

const d = dice(23);
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));

const plans: Row[] = ['Free', 'Team', 'Business', 'Enterprise'].map((Name, i) => ({
  PlanID: i + 1,
  Name,
  MonthlyPrice: [0, 29, 99, 499][i]!,
}));
const accounts: Row[] = many(40, (AccountID) => ({
  AccountID,
  CompanyName: `Company ${AccountID}`,
  PlanID: d.int(1, 4),
  Region: d.pick(['EMEA', 'APAC', 'LATAM']),
  CreatedAt: `${d.day('2021-01-01', '2024-06-30')} 08:00:00`,
  ChurnedAt: d.chance(0.2) ? `${d.day('2024-07-01', '2024-12-31')} 08:00:00` : null,
  ParentAccountID: d.chance(0.2) ? d.int(1, 10) : null,
}));
const users: Row[] = many(120, (id) => ({
  id,
  account_id: d.int(1, 36),
  'full name': `User ${id}`,
  role: d.pick(['admin', 'member', 'viewer']),
  is_active: d.chance(0.8),
  last_login_at: d.chance(0.9) ? `${d.day('2024-01-01', '2024-12-31')} 12:00:00` : null,
  created_at: `${d.day('2021-01-01', '2023-12-31')} 12:00:00`,
}));
const agents: Row[] = ['Kim', 'Lee', 'Max', 'Noa', 'Pia'].map((Name, i) => ({
  AgentID: i + 1,
  Name,
  Team: d.pick(['Support', 'Billing']),
}));
const tickets: Row[] = many(300, (TicketID) => {
  const created = d.day('2023-06-01', '2024-12-20');
  const Status = d.pick(['open', 'pending', 'solved', 'closed', 'closed']);
  return {
    TicketID,
    AccountID: d.int(1, 38),
    RequesterID: d.int(1, 120),
    AssigneeID: d.chance(0.85) ? d.int(1, 5) : null,
    Status,
    Priority: d.pick(['low', 'normal', 'high', 'urgent']),
    Channel: d.pick(['email', 'chat', 'phone']),
    CreatedAt: `${created} 09:30:00`,
    UpdatedAt: `${created} 19:30:00`,
    ClosedAt: Status === 'closed' ? `${created} 17:00:00` : null,
    Satisfaction: d.chance(0.5) ? d.int(1, 5) : null,
    Reopens: d.int(0, 3),
  };
});
const invoices: Row[] = many(150, (InvoiceID) => ({
  InvoiceID,
  AccountID: d.int(1, 40),
  IssueDate: d.day('2023-06-01', '2024-12-31'),
  DueDate: d.day('2024-01-01', '2025-01-31'),
  AmountDue: d.money(20, 900),
  Status: d.pick(['paid', 'unpaid', 'void']),
}));

export const deskRows = { plans, accounts, users, agents, tickets, invoices };

export const desk: TableOf[] = [
  {
    name: 'Plan',
    comment: 'Tarifas',
    key: ['PlanID'],
    rows: plans,
    columns: columns('int PlanID\ntext Name\ndecimal MonthlyPrice # Precio mensual'),
  },
  {
    name: 'Account',
    comment: 'Cuentas de clientes',
    key: ['AccountID'],
    rows: accounts,
    columns: columns(`int AccountID
      text CompanyName # Nombre de la empresa
      int PlanID -> Plan.PlanID
      text Region # Región
      timestamp CreatedAt
      timestamp ChurnedAt? # Fecha de baja
      int ParentAccountID? -> Account.AccountID`),
  },
  {
    name: 'user',
    comment: 'Usuarios',
    key: ['id'],
    rows: users,
    columns: columns(`int id
      int account_id -> Account.AccountID
      text full name
      enum(admin, member, viewer) role # Papel
      bool is_active
      timestamp last_login_at?
      timestamp created_at`),
  },
  {
    name: 'Agent',
    comment: 'Agentes de soporte',
    key: ['AgentID'],
    rows: agents,
    columns: columns('int AgentID\ntext Name\ntext Team # Equipo'),
  },
  {
    name: 'Ticket',
    comment: 'Incidencias',
    key: ['TicketID'],
    rows: tickets,
    columns: columns(`int TicketID
      int AccountID -> Account.AccountID
      int RequesterID -> user.id
      int AssigneeID? -> Agent.AgentID
      enum(open, pending, solved, closed) Status
      enum(low, normal, high, urgent) Priority # Prioridad
      text Channel
      timestamp CreatedAt
      timestamp UpdatedAt
      timestamp ClosedAt?
      int Satisfaction? # Satisfacción de 1 a 5
      int Reopens # Reaperturas`),
  },
  {
    name: 'Invoice',
    comment: 'Facturas emitidas',
    key: ['InvoiceID'],
    rows: invoices,
    columns: columns(`int InvoiceID
      int AccountID -> Account.AccountID
      date IssueDate # Fecha de emisión
      date DueDate # Vencimiento
      decimal AmountDue # Importe
      enum(paid, unpaid, void) Status`),
  },
];
