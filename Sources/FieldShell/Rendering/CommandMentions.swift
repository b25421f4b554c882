import Foundation

/// Commands as they are named in messages.
enum CommandMentions {
    /// In the shell they are typed without the program's name: `login` for `fieldbook login`. What is for a window of its
    /// own keeps it.
    static func inShell(_ text: String) -> String {
        let kept = "fieldbook sync --continuous"
        return text.components(separatedBy: kept).map(shortened).joined(separator: kept)
    }

    private static func shortened(_ text: String) -> String {
        CommandCatalogue.all.filter { $0.isAvailable(in: .shell) }.reduce(text) { text, specification in
            text.replacing("fieldbook \(specification.name.rawValue)", with: specification.name.rawValue)
        }
    }
}
