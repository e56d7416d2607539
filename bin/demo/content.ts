/** The people, folders and pads of the demo, which the screenshots show too. */

/** Everyone has this password in the demo. */
export const demoPassword = 'a harbour full of pads';

/** Who signs in first: manages most of the folders. */
export const mainPerson = { login: 'maya', firstname: 'Maya', lastname: 'Lindqvist', color: '#5456cf' };

/** Username, first name, last name, colour in pads. Dora has given no name. */
export const people = [
  ['amaru', 'Amaru', 'Quispe', '#e4a11b'],
  ['bente', 'Bente', 'Dahl', '#2f7d5b'],
  ['chidi', 'Chidi', 'Okafor', '#b3446c'],
  ['dora', '', '', ''],
  ['emil', 'Emil', 'Novák', '#3f6fb5'],
  ['farah', 'Farah', 'Haddad', '#7a4fb0'],
] as const;

type Login = 'maya' | (typeof people)[number][0];

/** A paragraph, and who has written it. */
type Paragraph = readonly [by: Login, text: string];

export interface DemoPad {
  name: string;
  text?: readonly Paragraph[];
  chat?: readonly Paragraph[];
  template?: true;
  /** Who has the pad alone, without its folder. */
  shared?: { with: readonly Login[]; role: 'writer' | 'reader' };
  bookmark?: true;
}

export interface DemoFolder {
  name: string;
  visibility?: 'public' | 'private';
  password?: string;
  description?: string;
  tags: string[];
  pads: readonly DemoPad[];
  /** How many of `people` write in it, from the first on. */
  invite: number;
  archived?: true;
  readonly?: true;
}

/** The folders of an association, which Maya manages. */
export const association: readonly DemoFolder[] = [
  {
    name: 'Board minutes',
    tags: ['board', '2026'],
    invite: 4,
    description: 'Minutes and agendas of the board. Please keep one pad a meeting.',
    pads: [
      {
        name: 'Agenda',
        template: true,
        bookmark: true,
        shared: { with: ['farah'], role: 'writer' },
        text: [
          ['maya', 'Agenda of the board meeting'],
          ['maya', '1. Welcome, and who takes the minutes'],
          ['amaru', '2. Money: what the treasurer reports'],
          ['bente', '3. Summer festival: stage, permits, volunteers'],
          ['chidi', '4. Anything else'],
        ],
      },
      {
        name: 'Minutes of the meeting',
        text: [
          ['maya', 'Minutes of the board, 14 October'],
          ['maya', 'Present: Maya, Amaru, Bente, Chidi. Dora sends her apologies.'],
          [
            'amaru',
            'Amaru presents the budget of the summer festival. It is accepted with one vote against.',
          ],
          [
            'bente',
            'Bente asks the city for the permit by the end of the month, and writes to the neighbours.',
          ],
          ['chidi', 'Chidi has found a printer for the posters: 180 for 500 pieces. Everyone agrees.'],
          ['maya', 'Next meeting: 11 November, half past six, in the kitchen.'],
        ],
        chat: [
          ['bente', 'I have added the date of the permit.'],
          ['maya', 'Thank you! Can you all read it once more before Friday?'],
        ],
      },
      {
        name: 'Open questions',
        text: [
          ['bente', 'Who has the second key of the shed?'],
          ['amaru', 'I do. I can bring it on Thursday.'],
          ['chidi', 'Do we renew the insurance for the van, or do we sell it?'],
        ],
      },
    ],
  },
  {
    name: 'Summer festival',
    visibility: 'public',
    tags: ['events'],
    invite: 6,
    pads: [
      {
        name: 'Programme',
        text: [
          ['maya', 'Programme for Saturday, 20 June'],
          ['chidi', '14:00  The harbour band opens the festival'],
          ['emil', '15:00  Workshop: build a kite'],
          ['farah', '16:30  Readings in four languages'],
          ['bente', '18:00  Supper at long tables. Please bring plates.'],
          ['amaru', '20:00  Dancing until the neighbours complain, at most until eleven'],
        ],
      },
      {
        name: 'Ideas',
        text: [
          ['farah', 'A stage at the harbour, a market of the neighbourhood, and a choir'],
          ['emil', 'Could the choir of the school sing? I ask the music teacher.'],
          ['maya', 'What does the budget allow? At most 2,400 for everything.'],
        ],
      },
      {
        name: 'Who does what',
        text: [
          ['maya', 'Posters: Chidi'],
          ['maya', 'Permit and neighbours: Bente'],
          ['amaru', 'Tables and benches: Amaru, with the van'],
          ['emil', 'First aid: Emil'],
        ],
      },
      { name: 'Checklist' },
    ],
  },
  {
    name: 'Grant applications',
    visibility: 'private',
    password: 'a long secret',
    tags: ['money', 'board'],
    invite: 2,
    pads: [
      {
        name: 'Letter to the city',
        text: [
          ['maya', 'Dear Ms Berg,'],
          [
            'amaru',
            'for three years, our festival has brought six hundred people to the harbour on one day.',
          ],
          ['bente', 'We ask for 1,500 for the stage and the sound. The plan of costs is in the second part.'],
        ],
      },
      { name: 'Budget draft', text: [['amaru', 'Stage 900, sound 600, posters 180, insurance 240']] },
    ],
  },
  {
    name: 'Reading group',
    tags: [],
    invite: 3,
    pads: [
      {
        name: 'Next books',
        text: [
          ['bente', 'November: a novel about a lighthouse. Bente has two copies.'],
          ['amaru', 'December: short stories, something cheerful please'],
          ['chidi', 'January: the one about the expedition. It has 600 pages, so begin early.'],
        ],
      },
      { name: 'Notes' },
    ],
  },
  {
    name: 'Onboarding of volunteers joining midyear',
    tags: ['volunteers', 'handbook', 'people'],
    invite: 5,
    pads: [
      {
        name: 'Checklist',
        template: true,
        text: [
          ['maya', '[ ] Show them the house, and where the first-aid box is'],
          ['bente', '[ ] Give them a key, and write it into the list'],
          ['emil', '[ ] Add them to the folders that they need'],
        ],
      },
      { name: 'Contacts' },
    ],
  },
  { name: 'Kitchen rota', visibility: 'public', tags: ['volunteers'], invite: 0, pads: [{ name: 'Rota' }] },
  { name: 'Website texts', tags: ['web'], invite: 2, pads: [{ name: 'About us' }, { name: 'Press' }] },
  {
    name: 'Translations',
    tags: ['web', 'handbook'],
    invite: 1,
    readonly: true,
    pads: [{ name: 'Words that we use', text: [['amaru', 'member: miembro, socio']] }],
  },
  {
    name: 'Festival 2025',
    visibility: 'public',
    tags: ['events', '2025'],
    invite: 2,
    archived: true,
    pads: [
      {
        name: 'Retrospective',
        text: [
          ['maya', 'What went well: the supper, the band, and the weather'],
          ['bente', 'What we do better: more shade, and a second person at the till'],
        ],
      },
    ],
  },
  { name: 'Old statutes', tags: ['board'], invite: 0, archived: true, pads: [{ name: 'Statutes of 2011' }] },
];

/** The folders of a school, which Bente manages. Maya is a member. */
export const school: readonly DemoFolder[] = [
  {
    name: 'Class 5b',
    tags: ['school'],
    invite: 6,
    description: 'What the class writes together. Parents read along with the link.',
    pads: [
      {
        name: 'The water cycle',
        text: [
          ['bente', 'Write one sentence each: where does the water of the harbour come from?'],
          ['chidi', 'The sun warms the sea, and some of the water rises as vapour.'],
          ['dora', 'High up it is cold. The vapour becomes small drops, and we see a cloud.'],
          ['emil', 'It rains in the hills, and the river brings the water back to us.'],
          ['bente', 'Very good! Who draws the arrows?'],
        ],
      },
      {
        name: 'Trip to the museum',
        text: [['bente', 'We meet at eight at the gate. Bring water and a pencil.']],
      },
    ],
  },
  {
    name: 'School choir',
    tags: ['music', 'school'],
    invite: 3,
    pads: [
      {
        name: 'Songs',
        text: [['bente', 'Two songs of the sea, one in three voices, and the song of last year']],
      },
      { name: 'Travel', text: [['amaru', 'The bus has 48 seats. We are 44.']] },
    ],
  },
];

/** In Maya's trash: pads of `Summer festival`, and a folder. */
export const deleted = {
  pads: ['Programme, first draft', 'Old list of volunteers'],
  folder: 'Autumn fair 2024',
};

/** Links to the folder `Class 5b`. */
export const links = [
  { label: 'Parents of 5b', role: 'reader' },
  { label: 'Pupils without an account', role: 'writer', asksName: true },
] as const;
