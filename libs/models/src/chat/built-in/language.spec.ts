import { languageOf } from './language';

describe('The language of an answer', () => {
  it.each([
    'Quelle est la durée de la garantie ?',
    'Combien de jours de congé ai-je en Espagne ?',
    'Quel est le prix de la chambre ?',
    'Où se trouve le bureau de la direction ?',
    'Quanto costa la camera per una notte?',
    'Qual è la durata della garanzia?',
    'Quantos dias de férias tenho em Espanha?',
    'Qual é o prazo de entrega da mercadoria?',
    'Wie lange gilt die Garantie für das Gerät?',
    'Wo kann ich die Rechnung in der App finden?',
  ])('is English where the question is neither English nor Spanish: %s', (question) => {
    expect(languageOf(question)).toBe('en');
  });

  it.each([
    '¿Cuál es la duración de la garantía?',
    'cuanto cuesta el plan de empresa',
    'Cuantos dias de vacaciones tengo en España',
    'que documentos se entregan para el alta de una empresa',
    'quien es la persona que firma el contrato con el cliente',
    'Resume el documento',
    'horario de la oficina de Vigo',
    'precio de la sala B',
  ])('is Spanish where the question is: %s', (question) => {
    expect(languageOf(question)).toBe('es');
  });
});
