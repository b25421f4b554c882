import DocumentValues
import Foundation

/// Commands as they are named in texts that a sync service has kept: it does not know where they are read.
enum CommandMentions {
    static func respelled(_ text: String, spelling: CommandSpelling) -> String {
        switch spelling {
        case .shell: inShell(text)
        case .program(let folder): inFolder(text, named: folder)
        }
    }

    /// In the shell they are typed without the program's name: `login` for `fieldbook login`. Commands for another
    /// window or another folder keep the name.
    static func inShell(_ text: String) -> String {
        var parts = text.components(separatedBy: program)[...]
        var result = parts.popFirst() ?? ""
        for part in parts { result += isForShell(part) ? part : program + part }
        return result
    }

    /// Where a folder was named, the next command is for the same one, and not for that of the environment.
    static func inFolder(_ text: String, named folder: String?) -> String {
        guard let folder else { return text }
        var parts = text.components(separatedBy: program)[...]
        var result = parts.popFirst() ?? ""
        for part in parts {
            let name = Substring(part.utf8.prefix { (0x61...0x7A).contains($0) })
            let rest = part.dropFirst(name.count)
            let isCommand = isForShell(part) || String(name).isExactly("init")
            let line = rest.utf8.prefix { $0 != UInt8(ascii: "\n") }
            let isOfFolder = isCommand && !line.contains(" --folder".utf8)
            result += "\(program)\(name)\(isOfFolder ? " --folder \(LineText.quoted(folder))" : "")\(rest)"
        }
        return result
    }

    private static let program = "fieldbook "

    /// - Parameter text: begins after the program's name.
    private static func isForShell(_ text: String) -> Bool {
        let name = text.utf8.prefix { (0x61...0x7A).contains($0) }
        let isCommand = CommandCatalogue.all.contains { specification in
            specification.isAvailable(in: .shell) && specification.name.rawValue.utf8.elementsEqual(name)
        }
        let rest = text.utf8.dropFirst(name.count)
        return isCommand && ![" --folder", " --continuous"].contains { rest.starts(with: $0.utf8) }
    }
}
