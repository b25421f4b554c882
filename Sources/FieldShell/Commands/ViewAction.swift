import DocumentValues

/// What is done with lists that are kept under a name.
public enum ViewAction: Sendable, Hashable {
    case list
    /// The words of a command that lists records.
    case save(name: String, tokens: [Name])
    case show(name: String)
    case remove(name: String)
}
