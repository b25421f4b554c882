/// What SQL is made for. That of an index has no parameters and no statements inside, and the functions in it that may fail
/// have names of their own, see `FunctionSpelling.indexed`.
enum TranslationTarget {
    case query
    /// An index of SQLite's own, whose expressions have no statements inside.
    case valueIndex
    /// The statements and triggers that fill the table of an index of ours.
    case indexTable

    var isIndex: Bool {
        switch self {
        case .query: false
        case .valueIndex, .indexTable: true
        }
    }
}
