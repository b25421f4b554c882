import DocumentValues

/// The commands for lists that are kept under a name.
public enum ViewAction: Sendable, Hashable {
    case list
    /// The words of a command that lists records.
    case save(name: String, tokens: [Name])
    case show(name: String)
    case remove(name: String)

    /// Bytes of a name, so that a list of views fits on a narrow screen.
    static let longestName = 40
}
