/** The few words that rendering adds to a text, in the text's language. */
export interface Labels {
  readonly note: string;
  readonly tip: string;
  readonly important: string;
  readonly warning: string;
  readonly caution: string;
  readonly footnotes: string;
  /** `{reference}` is the footnote's number. */
  readonly backTo: string;
}

export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

const ENGLISH: Labels = labels(
  'Note, Tip, Important, Warning, Caution, Footnotes, Back to reference {reference}',
);

const LABELS: ReadonlyMap<string, Labels> = new Map([
  ['de', labels('Hinweis, Tipp, Wichtig, Warnung, Vorsicht, Fußnoten, Zurück zu Verweis {reference}')],
  [
    'es',
    labels(
      'Nota, Consejo, Importante, Advertencia, Precaución, Notas al pie, Volver a la referencia {reference}',
    ),
  ],
  [
    'fr',
    labels('Remarque, Astuce, Important, Avertissement, Attention, Notes, Retour à la référence {reference}'),
  ],
  [
    'it',
    labels('Nota, Suggerimento, Importante, Avviso, Attenzione, Note, Torna al riferimento {reference}'),
  ],
  ['ja', labels('注記, ヒント, 重要, 警告, 注意, 脚注, 参照 {reference} に戻る')],
  ['ko', labels('참고, 팁, 중요, 경고, 주의, 각주, 참조 {reference}(으)로 돌아가기')],
  [
    'nl',
    labels('Opmerking, Tip, Belangrijk, Waarschuwing, Let op, Voetnoten, Terug naar verwijzing {reference}'),
  ],
  [
    'pl',
    labels('Uwaga, Wskazówka, Ważne, Ostrzeżenie, Ostrożnie, Przypisy, Powrót do odnośnika {reference}'),
  ],
  ['pt', labels('Nota, Dica, Importante, Aviso, Cuidado, Notas de rodapé, Voltar à referência {reference}')],
  [
    'ru',
    labels('Примечание, Совет, Важно, Предупреждение, Осторожно, Примечания, Назад к ссылке {reference}'),
  ],
  [
    'uk',
    labels('Примітка, Порада, Важливо, Попередження, Обережно, Примітки, Назад до посилання {reference}'),
  ],
  ['zh', labels('备注, 提示, 重要, 警告, 注意, 脚注, 返回引用 {reference}')],
]);

/** By the language without its region; English where we have no words. */
export function labelsFor(lang: string): Labels {
  return LABELS.get(lang.toLowerCase().split(/[-_]/)[0] ?? '') ?? ENGLISH;
}

function labels(words: string): Labels {
  const [note = '', tip = '', important = '', warning = '', caution = '', footnotes = '', backTo = ''] =
    words.split(', ');
  return { note, tip, important, warning, caution, footnotes, backTo };
}
