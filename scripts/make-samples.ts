/**
 * Writes the sample documents that are not plain text: `samples/employee-handbook.pdf`,
 * `samples/contrato-suministro.docx` and `samples/sales-2025.xlsx`. The results are committed; run it again (`npm run samples`) after changing the
 * words below.
 */
import { createWriteStream, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from 'docx';
import PDFDocument from 'pdfkit';
import { utils, write } from 'xlsx';

interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** One page of the handbook each. */
const HANDBOOK: readonly (readonly Section[])[] = [
  [
    {
      heading: '1. Welcome',
      paragraphs: [
        'Tarsis Instruments was founded in Galway in 1998 and makes portable meters for water quality. This handbook explains what you can expect from the company and what the company expects from you. It applies to all employees in Ireland.',
        'Questions about this handbook go to the people team, people@tarsis.example. The edition you are reading is the ninth and has been in force since 1 January 2025.',
      ],
    },
    {
      heading: '2. Working time',
      paragraphs: [
        'A full working week has 38 hours. Core hours are from 10:00 to 15:00; outside them you arrange your day with your team. Overtime is agreed beforehand with your manager and is given back as free time within three months.',
        'You may work from home up to three days a week. Working from another country is possible for 20 working days a year and needs the approval of the people team.',
      ],
    },
    {
      heading: '2.1 Breaks',
      paragraphs: [
        'After six hours of work you take a break of at least 30 minutes. Short breaks at the screen count as working time.',
      ],
    },
  ],
  [
    {
      heading: '3. Leave',
      paragraphs: ['You plan your leave with your team and enter it in the calendar before you book a journey.'],
    },
    {
      heading: '3.1 Annual leave',
      paragraphs: [
        'Every full-time employee has 27 days of annual leave a year, besides the public holidays. After five years with the company the annual leave rises to 30 days.',
        'Up to five days that were not taken may be carried over; they lapse on 31 March of the following year.',
      ],
    },
    {
      heading: '3.2 Sick leave',
      paragraphs: [
        'Tell your manager before 09:30 on the first day of an illness. A medical certificate is needed from the fourth day. The company pays your full salary for the first six weeks.',
      ],
    },
    {
      heading: '3.3 Parental leave',
      paragraphs: [
        'Each parent has 16 weeks of paid parental leave, to be taken before the second birthday of the child. It can be split into at most three parts.',
      ],
    },
    {
      heading: '3.4 Volunteering',
      paragraphs: ['Two days a year may be spent on voluntary work for a registered charity, with full pay.'],
    },
  ],
  [
    {
      heading: '4. Travel and expenses',
      paragraphs: [
        'Expenses are submitted within 30 days, with the receipts, in the expenses portal. They are paid with the next salary.',
        'The allowance for meals is 42 EUR a day in Ireland and 55 EUR a day abroad. Hotels may cost up to 140 EUR a night; more needs the approval of your manager before the journey.',
        'Journeys of less than four hours are made by train. Flights are booked in economy class.',
      ],
    },
    {
      heading: '5. Training',
      paragraphs: [
        'Each employee has a training budget of 1,200 EUR a year. Language courses may be taken during working time for up to two hours a week.',
        'If you leave within twelve months of a course that cost more than 2,000 EUR, half of its price is paid back.',
      ],
    },
  ],
  [
    {
      heading: '6. Equipment and security',
      paragraphs: [
        'Laptops are replaced every four years. Lost or stolen equipment is reported to the help desk, extension 2400, within two hours, at any time of the day.',
        'Passwords have at least 14 characters and are kept in the password manager of the company. Customer data is never stored on private devices.',
      ],
    },
    {
      heading: '7. Leaving the company',
      paragraphs: [
        'During the probation period of six months the notice period is two weeks. Afterwards it is two months to the end of a month, for both sides.',
        'On the last day you hand in your badge, laptop and keys at reception. The people team sends the reference within ten working days.',
      ],
    },
    {
      heading: '8. Raising a concern',
      paragraphs: [
        'A concern can be raised with your manager, with the people team or, without giving your name, with the ombudsperson Dr Aoife Brennan. Nobody suffers a disadvantage for a concern raised in good faith.',
      ],
    },
  ],
];

async function writeHandbook(path: string): Promise<void> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 64,
    autoFirstPage: false,
    // Fixed, so that the same words give the same file.
    info: { Title: 'Employee handbook', Author: 'Tarsis Instruments', CreationDate: new Date('2025-01-01T00:00:00Z') },
    lang: 'en',
  });
  const file = createWriteStream(path);
  pdf.pipe(file);
  HANDBOOK.forEach((sections, index) => {
    pdf.addPage();
    if (index === 0) pdf.font('Helvetica-Bold').fontSize(24).text('Employee handbook').moveDown();
    for (const { heading, paragraphs } of sections) {
      const part = /^\d+\.\d/.test(heading);
      pdf
        .font('Helvetica-Bold')
        .fontSize(part ? 13 : 16)
        .text(heading)
        .moveDown(0.4);
      for (const paragraph of paragraphs) {
        pdf.font('Helvetica').fontSize(11).text(paragraph, { lineGap: 3 }).moveDown(0.8);
      }
    }
  });
  pdf.end();
  await finished(file);
}

const PRICES = [
  ['Referencia', 'Artículo', 'Precio unitario', 'Pedido mínimo'],
  ['HS-S1', 'Sonda combinada estándar', '118,00 €', '20 unidades'],
  ['HS-M2', 'Sonda marina', '164,50 €', '10 unidades'],
  ['HS-C4', 'Solución de calibración pH 4,01 (500 ml)', '9,80 €', '50 unidades'],
  ['HS-C7', 'Solución de calibración pH 7,00 (500 ml)', '9,80 €', '50 unidades'],
] as const;

const CONTRACT: readonly (Section & { readonly table?: typeof PRICES })[] = [
  {
    heading: 'Partes',
    paragraphs: [
      'De una parte, Tarsis Instruments Ibérica, S.L., con domicilio en la calle de los Alfareros, 12, Zaragoza (el Proveedor). De otra parte, Aguas del Júcar, S.A., con domicilio en la avenida del Puerto, 87, Valencia (el Cliente).',
      'Ambas partes firman este contrato de suministro el 14 de marzo de 2025 en Valencia.',
    ],
  },
  {
    heading: '1. Objeto',
    paragraphs: [
      'El Proveedor suministrará al Cliente sondas y soluciones de calibración para equipos HydroScan 3, según los pedidos que el Cliente haga por escrito.',
    ],
  },
  {
    heading: '2. Precios',
    paragraphs: [
      'Los precios de la tabla siguiente no incluyen el IVA y se mantienen durante el primer año. Después se revisan cada enero según el IPC, con un máximo del 3 %.',
    ],
    table: PRICES,
  },
  {
    heading: '3. Plazo de entrega',
    paragraphs: [
      'El plazo de entrega es de 21 días naturales desde la recepción del pedido. La entrega se hace en el almacén del Cliente en Paterna, de lunes a viernes de 8:00 a 13:00.',
      'Los pedidos urgentes se entregan en 5 días hábiles con un recargo del 12 %.',
    ],
  },
  {
    heading: '4. Penalizaciones',
    paragraphs: [
      'Por cada día de retraso el Proveedor abonará una penalización del 0,5 % del valor del pedido, con un máximo del 10 %. Si el retraso supera los 30 días, el Cliente puede anular el pedido sin coste.',
    ],
  },
  {
    heading: '5. Forma de pago',
    paragraphs: [
      'El Cliente pagará cada factura por transferencia a los 60 días de su fecha. Si paga en los primeros 15 días, obtiene un descuento del 2 %.',
    ],
  },
  {
    heading: '6. Garantía',
    paragraphs: [
      'Las sondas tienen una garantía de 18 meses desde la entrega. El Proveedor sustituye las sondas defectuosas en un plazo de 7 días, a su cargo.',
    ],
  },
  {
    heading: '7. Duración y resolución',
    paragraphs: [
      'El contrato dura dos años y se prorroga por periodos de un año. Cualquiera de las partes puede resolverlo con un preaviso de 90 días por escrito.',
      'El incumplimiento grave de una de las partes, no corregido en 15 días, permite a la otra resolver el contrato de inmediato.',
    ],
  },
  {
    heading: '8. Confidencialidad',
    paragraphs: [
      'Las partes guardarán en secreto la información recibida durante la vigencia del contrato y en los cinco años siguientes.',
    ],
  },
  {
    heading: '9. Ley aplicable',
    paragraphs: [
      'Este contrato se rige por la ley española. Las partes se someten a los juzgados y tribunales de Valencia.',
    ],
  },
];

async function writeContract(path: string): Promise<void> {
  const document = new Document({
    creator: 'Tarsis Instruments Ibérica, S.L.',
    title: 'Contrato de suministro',
    sections: [
      {
        children: [
          new Paragraph({ text: 'Contrato de suministro', heading: HeadingLevel.TITLE }),
          ...CONTRACT.flatMap(({ heading, paragraphs, table }) => [
            new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
            ...paragraphs.map((text) => new Paragraph({ text, spacing: { after: 160 } })),
            ...(table ? [priceTable(table)] : []),
          ]),
        ],
      },
    ],
  });
  writeFileSync(path, await Packer.toBuffer(document));
}

const priceTable = (rows: typeof PRICES) =>
  new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, row) =>
        new TableRow({
          tableHeader: row === 0,
          children: cells.map(
            (text) =>
              new TableCell({ children: [new Paragraph({ children: [new TextRun({ text, bold: row === 0 })] })] }),
          ),
        }),
    ),
  });

/** A sheet as people keep it: a title above the table, money as money. */
function writeSales(path: string): void {
  const meters = ['HydroScan 2', 'HydroScan 3', 'ClearCheck'];
  const countries = ['Ireland', 'Spain', 'Portugal'];
  const rows = Array.from({ length: 72 }, (_, i) => {
    const units = 3 + ((i * 7) % 11);
    const day = new Date(Date.UTC(2025, Math.floor(i / 6), 3 + (i % 6) * 4));
    return [day, countries[i % 3], meters[(i * 5) % 3 === 0 ? i % 2 : 2], units, units * (120 + ((i * 13) % 5) * 35)];
  });
  const title = [['Tarsis Instruments: meters sold in 2025'], []];
  const sheet = utils.aoa_to_sheet([...title, ['Date', 'Country', 'Meter', 'Units', 'Amount'], ...rows], { UTC: true });
  const book = utils.book_new(sheet, 'Sales');
  writeFileSync(path, write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
}

async function main(): Promise<void> {
  const folder = resolve(process.argv[2] ?? 'samples');
  await writeHandbook(join(folder, 'employee-handbook.pdf'));
  await writeContract(join(folder, 'contrato-suministro.docx'));
  writeSales(join(folder, 'sales-2025.xlsx'));
}

void main();
