/** What the demo asks about `samples/`, and how it knows by itself that an answer is right. */
export interface DemoQuestion {
  readonly question: string;
  /** Shown beside the question. */
  readonly note: string;
  readonly streamed?: boolean;
  /** `tool_choice` leaves the model no choice but to search. */
  readonly forced?: boolean;
  /** Absent for a question that the documents do not answer: the answer then has to say so, and cite nothing. */
  readonly expected?: {
    readonly fact: RegExp;
    /** The file that has to be among the sources. */
    readonly file: string;
  };
}

/** Asked about a page that the demo serves itself, by its address. */
export const pageQuestion = (url: string) => ({
  question: `When do guided tours start on Saturday, according to ${url} ?`,
  note: 'from a web page, named in the question',
  fact: /\b10:30\b/,
});

export const DEMO_QUESTIONS: readonly DemoQuestion[] = [
  {
    question: 'How many days of annual leave does a full-time employee have?',
    note: 'from a PDF, streamed',
    streamed: true,
    expected: { fact: /\b27 days\b/, file: 'employee-handbook.pdf' },
  },
  {
    question: '¿Cuál es el plazo de entrega del contrato de suministro?',
    note: 'from a Word file, in Spanish',
    expected: { fact: /\b21 días naturales\b/, file: 'contrato-suministro.docx' },
  },
  {
    question: 'How often should I calibrate the pH probe of the HydroScan 3?',
    note: 'from a web page, with tool_choice',
    forced: true,
    expected: { fact: /\bevery 14 days\b/, file: 'hydroscan-manual.html' },
  },
  {
    question: '¿De cuántos días dispongo para devolver un producto?',
    note: 'from Markdown, in Spanish',
    expected: { fact: /\b45 días naturales\b/, file: 'guia-devoluciones.md' },
  },
  {
    question: 'Who won the football world cup in 1998?',
    note: 'not in the documents',
  },
];

/** How an answer says that the documents do not tell, in either language. */
export const DECLINES = /\b(no|not|nothing|none|cannot|could not|ningun[oa]?|nada)\b/i;

/** Asked about one workbook: the answer is computed, not quoted. */
export const TABLE_QUESTION = {
  question: 'What is the total amount by country?',
  note: 'computed from a workbook',
  artifact: 'sales-2025.xlsx',
  fact: /Spain \| 37260\b/,
};

/** Asked about a database of orders. */
export const DATABASE_QUESTION = {
  question: 'What is the total amount of orders by city?',
  note: 'from a database, by one SELECT with a join',
  fact: /Valencia \| 52660\.20\b/,
};
