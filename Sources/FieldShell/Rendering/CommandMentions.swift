import Foundation

/// Commands as they are named in messages.
enum CommandMentions {
    /// In the shell they are typed without the program's name: `login` for `fieldbook login`. Commands for another
    /// window or another folder keep the name.
    static func inShell(_ text: String) -> String {
        var parts = text.components(separatedBy: program)[...]
        var result = parts.popFirst() ?? ""
        for part in parts { result += isForShell(part) ? part : program + part }
        return result
    }

    private static let program = "fieldbook "

    /// - Parameter text: begins with what follows the program's name.
    private static func isForShell(_ text: String) -> Bool {
        let name = text.utf8.prefix { (0x61...0x7A).contains($0) }
        let isCommand = CommandCatalogue.all.contains { specification in
            specification.isAvailable(in: .shell) && specification.name.rawValue.utf8.elementsEqual(name)
        }
        let rest = text.utf8.dropFirst(name.count)
        return isCommand && ![" --folder", " --continuous"].contains { rest.starts(with: $0.utf8) }
    }
}
