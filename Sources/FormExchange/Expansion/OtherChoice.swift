import DocumentValues
import FormLogic

/// `or_other` behind a list: a choice `other` at its end, and a question for the person's own text behind the question.
package enum OtherChoice {
    package static let name = Name("other")

    /// Adds the choice unless it is there.
    package static func add(to list: inout ChoiceList, languages: [FormLanguage]) {
        guard !list.choices.contains(where: { $0.name == name }) else { return }
        list.choices.append(Choice(name: name, label: text(\.choice, in: languages)))
    }

    /// The question `<name>_other` that follows a question.
    package static func question(after node: FormNode, languages: [FormLanguage]) -> FormNode {
        var other = FormNode(
            name: Name(node.name.text + "_other"), kind: .question(.text), label: text(\.question, in: languages))
        other.relevant = "selected(../\(node.name.text), 'other')"
        other.sourceRow = node.sourceRow
        return other
    }

    private static func text(_ part: KeyPath<Wording, String>, in languages: [FormLanguage]) -> FormText {
        guard !languages.isEmpty else { return .plain(Wording.english[keyPath: part]) }
        let texts = languages.map { (Wording.known[$0.code] ?? Wording.english)[keyPath: part] }
        // A text that is the same in all languages is plain.
        if texts.allSatisfy({ $0 == texts[0] }) { return .plain(texts[0]) }
        return .translated(
            zip(languages, texts).map { FormText.Translation(language: $0.code, text: $1) })
    }

    private struct Wording {
        let choice: String
        let question: String

        static let english = Wording(choice: "Other", question: "Specify other.")

        static let known: [Name: Wording] = [
            Name("en"): english,
            Name("ar"): Wording(choice: "أخرى", question: "يرجى التحديد."),
            Name("de"): Wording(choice: "Anderes", question: "Bitte angeben."),
            Name("es"): Wording(choice: "Otro", question: "Especifique otro."),
            Name("fr"): Wording(choice: "Autre", question: "Précisez."),
            Name("id"): Wording(choice: "Lainnya", question: "Sebutkan."),
            Name("it"): Wording(choice: "Altro", question: "Specificare."),
            Name("nl"): Wording(choice: "Anders", question: "Geef aan wat."),
            Name("pt"): Wording(choice: "Outro", question: "Especifique."),
            Name("ru"): Wording(choice: "Другое", question: "Укажите."),
            Name("sw"): Wording(choice: "Nyingine", question: "Taja nyingine."),
        ]
    }
}
