/// A language of which a full-text index removes the inflections, and leaves out the commonest words.
package enum SearchLanguage: String, Sendable, Hashable, CaseIterable {
    case danish = "da"
    case english = "en"
    case french = "fr"
    case german = "de"
    case italian = "it"
    case norwegian = "no"
    case portuguese = "pt"
    case spanish = "es"
    case swedish = "sv"

    /// By its code or its English name, in exactly this spelling; `nil` for any other.
    package init?(name: String) {
        if let language = Self(rawValue: name) {
            self = language
        } else if let language = Self.allCases.first(where: { $0.englishName == name }) {
            self = language
        } else {
            return nil
        }
    }

    private var englishName: String {
        switch self {
        case .danish: "danish"
        case .english: "english"
        case .french: "french"
        case .german: "german"
        case .italian: "italian"
        case .norwegian: "norwegian"
        case .portuguese: "portuguese"
        case .spanish: "spanish"
        case .swedish: "swedish"
        }
    }

    /// A word of small letters without its ending.
    package func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        switch self {
        case .danish: DanishStemmer.stem(word)
        case .english: EnglishStemmer.stem(word)
        case .french: FrenchStemmer.stem(word)
        case .german: GermanStemmer.stem(word)
        case .italian: ItalianStemmer.stem(word)
        case .norwegian: NorwegianStemmer.stem(word)
        case .portuguese: PortugueseStemmer.stem(word)
        case .spanish: SpanishStemmer.stem(word)
        case .swedish: SwedishStemmer.stem(word)
        }
    }
}
