import DocumentValues

/// A label, a hint, a message or a title, as a person reads it.
package enum FormText: Sendable {
    /// The same in all languages.
    case plain(String)
    /// In some languages, in the order in which they were written; none twice.
    case translated([Translation])

    package struct Translation: Sendable {
        package var language: Name
        package var text: String

        package init(language: Name, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The one form in which a text is kept: plain where it is the same in all of the form's languages, so that equal forms
    /// have equal digests, be they written by hand or as sheets. `nil` for no text at all.
    package init?(_ translations: [Translation], languages: [FormLanguage]) {
        guard let first = translations.first else { return nil }
        let isSame = translations.allSatisfy { $0.text.isExactly(first.text) }
        let isWhole = Set(translations.map(\.language)) == Set(languages.map(\.code))
        self = isSame && isWhole ? .plain(first.text) : .translated(translations)
    }

    /// All of its texts, one a language.
    package var all: [String] {
        switch self {
        case .plain(let text): [text]
        case .translated(let translations): translations.map(\.text)
        }
    }

    /// The text in exactly this language; a plain text is in all.
    package func text(in language: Name?) -> String? {
        switch self {
        case .plain(let text): text
        case .translated(let translations): translations.first { $0.language == language }?.text
        }
    }
}

extension FormText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .plain(text) }
}

/// The pictures, sounds and films of a question or a choice: kind and name of the file.
package struct FormMedia: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case image
        case bigImage = "big-image"
        case audio
        case video
    }

    package struct Item: Sendable {
        package var kind: Kind
        package var file: FormText

        package init(kind: Kind, file: FormText) {
            self.kind = kind
            self.file = file
        }
    }

    /// No kind twice.
    package var items: [Item]

    package init(items: [Item] = []) { self.items = items }

    package var isEmpty: Bool { items.isEmpty }

    package subscript(kind: Kind) -> FormText? {
        get { items.first { $0.kind == kind }?.file }
        set {
            items.removeAll { $0.kind == kind }
            if let newValue { items.append(Item(kind: kind, file: newValue)) }
        }
    }
}

/// A language of a form: `en`, `English`.
package struct FormLanguage: Sendable {
    package var code: Name
    package var name: String

    package init(code: Name, name: String) {
        self.code = code
        self.name = name
    }
}

/// A name with a text: a column of a choice, a parameter of a question, a text by its id.
package struct NamedText: Sendable {
    package var name: Name
    package var text: String

    package init(name: Name, text: String) {
        self.name = name
        self.text = text
    }
}

extension [NamedText] {
    /// The text of that name.
    package subscript(name: Name) -> String? { first { $0.name == name }?.text }
}
